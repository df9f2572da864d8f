/// Resolves placeholders for one read, or for the check of everything that was loaded.
///
/// Remembers what it resolved, so that a value is built once however many placeholders lead to it, and which paths it
/// consulted, so that a reader knows what its value depends on.
struct PlaceholderResolver {
    private let storage: PropertiesStorage
    /// What is left of the limits of the load or read.
    private var budget = Budget()
    /// What was one too much for the budget; nothing more is built then.
    private(set) var excess: PropertiesError?

    /// The texts whose placeholders are looked at, outermost first; one of them again is a circle.
    private var inProgress: [PropertyPath] = []
    /// What became of texts.
    private var results = SmallTable<PropertyPath, Outcome<JSONValue>>()
    /// What became of paths.
    private var values = SmallTable<PropertyPath, Outcome<JSONValue?>>()
    /// The JSON in texts of the environment that paths lead into.
    private var parsedTexts = SmallTable<PropertyPath, JSONValue?>()
    /// What placeholders led to, found or not, in the order it was first consulted.
    private(set) var consultedTargets: [Template.Target] = []
    private var consultations = SmallTable<Template.Target, Consultation>()
    /// The paths there are, once one that is missing has been looked for.
    private var nearPaths: NearPaths?

    /// A result whose type does not need to know that its failure is an error; see ``SmallTable``.
    private enum Outcome<Value> {
        case success(Value)
        case failure(PropertiesError)

        func get() throws(PropertiesError) -> Value {
            switch self {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        }
    }

    /// What is known about a target before it is resolved.
    private struct Consultation {
        /// Whether it has a value for certain.
        var isFound = false
        /// The levels of arrays and objects that it has at least.
        var height = 0
        /// The texts with placeholders that it has.
        var texts: [Waiting] = []
    }

    /// A text with placeholders that waits for what these lead to.
    private struct Waiting {
        let path: PropertyPath
        let node: JSONValue
        let text: String
        var template: Template?
        /// The placeholders that have not been looked at, the first one last.
        var placeholders: [Template.Placeholder] = []
    }

    /// The paths among what was consulted.
    var consulted: [PropertyPath] {
        consultedTargets.compactMap {
            switch $0 {
            case .property(let path): path
            case .variable, .file: nil
            }
        }
    }

    init(_ storage: PropertiesStorage) {
        self.storage = storage
    }

    /// The resolved value at a path, nil if it is missing.
    mutating func value(at path: PropertyPath) throws(PropertiesError) -> JSONValue? {
        if let known = values[path] { return try known.get() }
        let result: Outcome<JSONValue?>
        do throws(PropertiesError) {
            result = .success(try findValue(at: path))
        } catch {
            result = .failure(error)
        }
        values.add(result, for: path)
        return try result.get()
    }

    private mutating func findValue(at path: PropertyPath) throws(PropertiesError) -> JSONValue? {
        switch storage.find(path) {
        case .missing, .removed:
            return nil
        case .found(let node):
            return try resolve(node, at: path)
        case .blocked(let node, let count):
            return try value(at: path, through: node, after: count)
        }
    }

    /// A value whose path leads through a placeholder, or into the JSON text of an environment variable.
    private mutating func value(
        at path: PropertyPath, through node: JSONValue, after count: Int
    ) throws(PropertiesError) -> JSONValue? {
        guard case .string(let text) = node.storage else { return nil }
        let target: JSONValue
        if node.flags.contains(.text) {
            let place = PropertyPath(Array(path.steps[..<count]))
            guard node.isReadAsJSON, let value = parsed(text, of: node, at: place) else { return nil }
            target = value
        } else {
            guard Template.isTemplate(text) else { return nil }
            target = try resolve(node, at: PropertyPath(Array(path.steps[..<count])))
        }
        guard case .found(let value) = TreeWalk(target, path.steps[count...]) else { return nil }
        return value
    }

    /// A text of the environment as JSON, read once however many paths lead into it.
    private mutating func parsed(_ text: String, of node: JSONValue, at path: PropertyPath) -> JSONValue? {
        if let known = parsedTexts[path] { return known }
        var value = (try? JSONValue(parsing: text))?.markingAll(.environment)
        value?.flags.formUnion(node.flags.intersection(.secret))
        value = value.map { storage.secrets.markingJSON($0, at: path) }
        parsedTexts.add(value, for: path)
        return value
    }

    /// A value with its placeholders resolved.
    mutating func resolve(_ node: JSONValue, at path: PropertyPath) throws(PropertiesError) -> JSONValue {
        var path = path
        return try resolveIfNeeded(node, at: &path) ?? node
    }

    /// Gives nil if nothing in the value needs to be resolved.
    private mutating func resolveIfNeeded(
        _ node: JSONValue, at path: inout PropertyPath
    ) throws(PropertiesError) -> JSONValue? {
        switch node.storage {
        case .null, .boolean, .integer, .decimal:
            return nil
        case .string(let text):
            guard node.hasTemplate(text) else { return nil }
            return try resolveText(Waiting(path: path, node: node, text: text))
        case .array, .object:
            return try node.replacingParts(at: &path) { part, path throws(PropertiesError) in
                try resolveIfNeeded(part, at: &path)
            }
        }
    }

    private mutating func resolveText(_ text: Waiting) throws(PropertiesError) -> JSONValue {
        if let known = results[text.path] { return try known.get() }
        if let start = inProgress.firstIndex(of: text.path) {
            let circle = inProgress[start...].map(\.text) + [text.path.text]
            throw failure(.cycle(paths: circle), of: text.node, at: text.path)
        }
        resolve(text)
        return try results[text.path]?.get() ?? text.node
    }

    /// Resolves a text after all that its placeholders lead to.
    ///
    /// What waits is in a list: a chain of placeholders needs no more of the stack than one.
    private mutating func resolve(_ text: Waiting) {
        var waiting = [text]
        while let last = waiting.indices.last {
            if waiting[last].template == nil, !begin(&waiting[last]) {
                waiting.removeLast()
            } else if let placeholder = waiting[last].placeholders.popLast() {
                let consultation = consult(placeholder.target)
                if !consultation.isFound { waiting[last].placeholders += placeholder.defaultTemplate?.reversed ?? [] }
                waiting += consultation.texts.reversed()
            } else {
                finish(waiting.removeLast())
            }
        }
    }

    /// Begins to look at the placeholders of a text; false where that need not be done, or goes too deep.
    private mutating func begin(_ text: inout Waiting) -> Bool {
        guard results[text.path] == nil, !inProgress.contains(text.path) else { return false }
        do throws(PropertiesError) {
            guard inProgress.count < Limits.placeholderChain else {
                throw failure(.tooDeep, of: text.node, at: text.path)
            }
            let template = try parse(text.text, of: text.node, at: text.path)
            text.template = template
            text.placeholders = template.reversed
            inProgress.append(text.path)
            return true
        } catch {
            results.add(.failure(error), for: text.path)
            return false
        }
    }

    private mutating func finish(_ text: Waiting) {
        guard let template = text.template else { return }
        let result: Outcome<JSONValue>
        do throws(PropertiesError) {
            result = .success(try build(template, of: text.node, at: text.path))
        } catch {
            result = .failure(error)
        }
        inProgress.removeLast()
        results.add(result, for: text.path)
    }

    /// Notes that a placeholder leads to a target; gives the texts to resolve first when the target is new.
    private mutating func consult(_ target: Template.Target) -> Consultation {
        if var known = consultations[target] {
            known.texts = []
            return known
        }
        var consultation = Consultation()
        switch target {
        case .variable(let name):
            consultation.isFound = storage.settings.variable(name) != nil
        case .file(let path):
            // An error is one with a default, too.
            if case .missing = storage.settings.files.find(path) {} else { consultation.isFound = true }
        case .property(let target):
            switch storage.find(target) {
            case .missing, .removed:
                break
            case .found(let node):
                consultation.isFound = true
                consultation.height = Int(node.height)
                var place = target
                collectTexts(in: node, at: &place, to: &consultation.texts)
            case .blocked(let node, let count):
                var place = PropertyPath(Array(target.steps[..<count]))
                collectTexts(in: node, at: &place, to: &consultation.texts)
            }
        }
        consultedTargets.append(target)
        let texts = consultation.texts
        consultation.texts = []
        consultations.add(consultation, for: target)
        consultation.texts = texts
        return consultation
    }

    private func collectTexts(in node: JSONValue, at path: inout PropertyPath, to texts: inout [Waiting]) {
        switch node.storage {
        case .null, .boolean, .integer, .decimal:
            break
        case .string(let text):
            if node.hasTemplate(text) { texts.append(Waiting(path: path, node: node, text: text)) }
        case .array, .object:
            node.forEachPart(at: &path) { collectTexts(in: $0, at: &$1, to: &texts) }
        }
    }

    private func parse(_ text: String, of node: JSONValue, at path: PropertyPath) throws(PropertiesError) -> Template {
        do {
            return try Template(parsing: text)
        } catch {
            throw failure(error, of: node, at: path)
        }
    }

    private mutating func build(
        _ template: Template, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        if let placeholder = template.onlyPlaceholder {
            let value = try value(of: placeholder, of: node, at: path)
            if case .string(let text) = value.storage, !budget.takeBuilt(bytes: text.utf8.count) {
                throw exceeding(.tooLong, of: node, at: path)
            }
            // At its new place more of it may be secret.
            return storage.secrets.marking(value.standing(inPlaceOf: node), at: path)
        }
        return try buildText(template, of: node, at: path)
    }

    private mutating func buildText(
        _ template: Template, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        var text = ""
        var flags: JSONNodeFlags = template.hasPlaceholders ? [.text, .placeholder] : []
        for part in template.parts {
            let count = text.utf8.count
            switch part {
            case .text(let literal): text += literal
            case .placeholder(let placeholder):
                try append(placeholder, to: &text, &flags, of: node, at: path)
            }
            guard budget.takeBuilt(bytes: text.utf8.count - count) else {
                throw exceeding(.tooLong, of: node, at: path)
            }
        }
        var value = node.replacingContent(with: .string(text))
        value.flags.formUnion(flags)
        // What the parts do not give away, the whole may: a URL with a password, say.
        return storage.secrets.markingText(value, at: path)
    }

    private mutating func append(
        _ placeholder: Template.Placeholder, to text: inout String, _ flags: inout JSONNodeFlags, of node: JSONValue,
        at path: PropertyPath
    ) throws(PropertiesError) {
        let value = try value(of: placeholder, of: node, at: path)
        flags.formUnion(value.flags.intersection([.secret, .holdsSecret, .environment, .verbatim]))
        switch value.storage {
        case .string(let string): text += string
        case .integer(let number): text += String(number)
        case .decimal(let number): text += number
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .null, .array, .object:
            let found = value.kindInWords
            throw failure(.notText(placeholder: placeholder.source, found: found), of: node, at: path)
        }
    }

    private mutating func value(
        of placeholder: Template.Placeholder, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        if let value = try target(of: placeholder, of: node, at: path) { return value }
        if let template = placeholder.defaultTemplate { return try build(default: template, of: node, at: path) }
        throw missing(placeholder, of: node, at: path)
    }

    /// What a placeholder leads to; nil if nothing is there.
    private mutating func target(
        of placeholder: Template.Placeholder, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue? {
        switch placeholder.target {
        case .variable(let name):
            return storage.value(ofVariable: name, at: path)
        case .file(let file):
            switch storage.settings.files.find(file) {
            case .found(let value, _):
                return storage.secrets.markingText(value, at: path)
            case .missing:
                return nil
            case .undeclared(let directory):
                let problem = PlaceholderProblem.undeclaredFile(placeholder: placeholder.source, directory: directory)
                throw failure(problem, of: node, at: path)
            case .goesUp:
                throw failure(.fileGoesUp(placeholder: placeholder.source), of: node, at: path)
            }
        case .property(let target):
            // Before anything is walked through: the levels above and below share the stack.
            let height = consultations[placeholder.target]?.height ?? 0
            if path.steps.count + height > JSONValue.nestingLimit {
                throw failure(.nestedTooDeeply, of: node, at: path)
            }
            if height > 0, let excess { throw excess }
            guard let value = try self.value(at: target) else { return nil }
            try checkSize(of: value, for: node, at: path)
            return value
        }
    }

    /// A default is text, unless it takes the value of another placeholder as it is.
    private mutating func build(
        default template: Template, of node: JSONValue, at path: PropertyPath
    ) throws(PropertiesError) -> JSONValue {
        var value = try build(template, of: node, at: path)
        if template.onlyPlaceholder == nil { value.flags.insert(.text) }
        return value
    }

    /// The error of a placeholder that leads nowhere, and has no default.
    private mutating func missing(
        _ placeholder: Template.Placeholder, of node: JSONValue, at path: PropertyPath
    ) -> PropertiesError {
        switch placeholder.target {
        case .variable(let name):
            return failure(.missingVariable(placeholder: placeholder.source, name: name), of: node, at: path)
        case .file(let file):
            return failure(.missingFile(placeholder: placeholder.source, path: file), of: node, at: path)
        case .property(let target):
            if nearPaths == nil { nearPaths = NearPaths(storage) }
            let near = nearPaths?.near(target) ?? []
            return failure(
                .missing(placeholder: placeholder.source, target: target.text, near: near), of: node, at: path)
        }
    }

    /// Placeholders that each lead to two others double what they build with every step: a short file could fill all
    /// memory.
    private mutating func checkSize(of value: JSONValue, for node: JSONValue, at path: PropertyPath)
        throws(PropertiesError)
    {
        guard value.height > 0 else { return }
        if Int(value.height) + path.steps.count > JSONValue.nestingLimit {
            throw failure(.nestedTooDeeply, of: node, at: path)
        }
        guard budget.takeBuilt(value.count) else { throw exceeding(.tooLarge, of: node, at: path) }
    }

    /// The first error by which the budget was exceeded.
    private mutating func exceeding(
        _ problem: PlaceholderProblem, of node: JSONValue, at path: PropertyPath
    ) -> PropertiesError {
        let error = excess ?? failure(problem, of: node, at: path)
        excess = error
        return error
    }

    private func failure(_ problem: PlaceholderProblem, of node: JSONValue, at path: PropertyPath) -> PropertiesError {
        let problem = node.hasSecrets ? problem.redacted : problem
        let origin = storage.origin(of: path)
        return PropertiesError(
            PropertiesProblem(
                .placeholder(problem), path: path.text, file: origin?.name, position: origin?.position))
    }
}

extension Template {
    /// The placeholders from the last to the first.
    fileprivate var reversed: [Placeholder] {
        parts.reversed().compactMap {
            if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
        }
    }
}

extension JSONValue {
    /// Whether the text of this node has placeholders to resolve: what the environment says is taken as it is, and what
    /// a placeholder gave is complete.
    fileprivate func hasTemplate(_ text: String) -> Bool {
        flags.isDisjoint(with: [.environment, .placeholder, .verbatim]) && Template.isTemplate(text)
    }

    /// The value that a placeholder alone in a text leads to, in place of the text.
    fileprivate func standing(inPlaceOf node: JSONValue) -> JSONValue {
        var value = self
        value.takeProvenance(of: node)
        value.flags = flags.union(.placeholder).union(node.flags.intersection(.secret))
        return value
    }
}

extension JSONValue {
    /// Counts the values in a value, and the bytes of its texts, down from two numbers; stops at 0.
    fileprivate func count(within values: inout Int, _ bytes: inout Int) {
        guard values > 0, bytes > 0 else { return }
        values -= 1
        switch storage {
        case .array(let array):
            for element in array.elements where values > 0 { element.count(within: &values, &bytes) }
        case .object(let object):
            for index in object.indices where values > 0 { object.value(at: index).count(within: &values, &bytes) }
        case .string(let text), .decimal(let text):
            bytes = max(0, bytes - text.utf8.count)
        case .null, .boolean, .integer:
            break
        }
    }
}
