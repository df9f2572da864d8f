/// Resolves placeholders for one read, or for the check of everything that was loaded.
///
/// It stores the resolved values, so that each is built once even if many placeholders refer to it. It also records the
/// consulted paths, so that a reader knows what its value depends on.
struct PlaceholderResolver {
    private let storage: PropertiesStorage
    /// The remaining limits of the load or read.
    private var budget = Budget()
    /// The error of the placeholder that exceeded the budget.
    ///
    /// Nothing more is built after it.
    private(set) var excess: PropertiesError?

    /// The texts that are being resolved, outermost first.
    ///
    /// If one of them appears again, that is a cycle.
    private var inProgress: [PropertyPath] = []
    /// The results of texts.
    private var results = SmallTable<PropertyPath, Outcome<JSONValue>>()
    /// The results of paths.
    private var values = SmallTable<PropertyPath, Outcome<JSONValue?>>()
    /// The parsed JSON of texts from the environment that paths lead into.
    private var parsedTexts = SmallTable<PropertyPath, JSONValue?>()
    /// The parts of this JSON that paths lead to, or lead into if they are arrays, with their secrets marked.
    private var markedParts = SmallTable<PropertyPath, JSONValue?>()
    /// The targets of placeholders, found or not, in the order in which they were first consulted.
    private(set) var consultedTargets: [Template.Target] = []
    /// The places of texts that paths led through.
    private var places: [PropertyPath] = []
    private var consultations = SmallTable<Template.Target, Consultation>()
    /// The number of texts in the longest chain of placeholders that begins at a text.
    private var chainLengths = SmallTable<PropertyPath, Int>()
    /// The existing paths, created when a path is first missing.
    private var nearPaths: NearPaths?
    /// Whether to look for ``revealing`` texts.
    private var findsRevealing = false
    /// Whether defaults that are not used are searched as well.
    private var searchesUnusedDefaults = false
    /// The paths of texts that show a secret which is not recognizable without the values of their placeholders, such as
    /// `${scheme} hunter2`, where the scheme is `Bearer`.
    private var revealing: Set<PropertyPath> = []

    /// A result whose type does not need a conformance to `Error`.
    ///
    /// See ``SmallTable``.
    private enum Outcome<Value> {
        case success(Value)
        case failure(PropertiesError)

        init(_ body: () throws(PropertiesError) -> Value) {
            do throws(PropertiesError) {
                self = .success(try body())
            } catch {
                self = .failure(error)
            }
        }

        func get() throws(PropertiesError) -> Value {
            switch self {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        }
    }

    /// What is known about a target before it is resolved.
    private struct Consultation {
        /// Whether it certainly has a value.
        var isFound = false
        /// A lower bound of its levels of arrays and objects.
        var height = 0
        /// The paths of its texts with placeholders.
        var texts: [PropertyPath] = []
        /// The number of texts in the longest chain of placeholders that begins in it, if it was needed before.
        var chainLength: Int?
    }

    /// A text with placeholders and its path.
    private struct Text {
        let string: String
        let node: JSONValue
        let path: PropertyPath
    }

    /// A text that waits for the targets of its placeholders.
    private struct Waiting {
        let text: Text
        var template: Template?
        /// The placeholders that are not consulted yet, in reverse order.
        var placeholders: [Template.Placeholder] = []
        /// The targets that were consulted.
        var targets: [Template.Target] = []
    }

    var consulted: [PropertyPath] {
        consultedTargets.compactMap { if case .property(let path) = $0 { path } else { nil } } + places
    }

    init(_ storage: PropertiesStorage) {
        self.storage = storage
    }

    /// Returns the resolved value at a path, or nil if it is missing.
    mutating func value(at path: PropertyPath) throws(PropertiesError) -> JSONValue? {
        if let known = values[path] { return try known.get() }
        let result = Outcome { () throws(PropertiesError) in try findValue(at: path) }
        values.add(result, for: path)
        return try result.get()
    }

    private mutating func findValue(at path: PropertyPath) throws(PropertiesError) -> JSONValue? {
        switch storage.find(path) {
        case .missing, .removed:
            return nil
        case .hidden(let count):
            places.append(path.prefix(count))
            return nil
        case .found(let node):
            return try resolve(node, at: path)
        case .blocked(let node, let count):
            return try value(at: path, through: node, after: count)
        }
    }

    /// Returns a value whose path leads through a placeholder, or into the JSON text of an environment variable.
    private mutating func value(
        at path: PropertyPath, through node: JSONValue, after count: Int
    ) throws(PropertiesError) -> JSONValue? {
        guard case .string = node.storage else { return nil }
        let place = path.prefix(count)
        places.append(place)
        let target = try resolve(node, at: place)
        if case .string = target.storage { return part(ofText: target, at: path, below: place) }
        return TreeWalk(target, path.steps[count...]).node
    }

    /// Returns the part of a text of the environment at a path that leads into its JSON.
    ///
    /// The elements of an array are marked together, and once even if many paths lead to them.
    private mutating func part(ofText node: JSONValue, at path: PropertyPath, below place: PropertyPath) -> JSONValue? {
        guard node.isReadAsJSON, case .string(let text) = node.storage else { return nil }
        let count = place.steps.count
        let keys = path.steps[count...].prefix { $0.key != nil }
        let whole = PropertyPath(place.steps + keys)
        let marked: JSONValue?
        if let known = markedParts[whole] {
            marked = known
        } else {
            marked = parsed(text, at: place).flatMap {
                storage.secrets.markingPart(of: $0, at: whole, below: place, isSecret: node.flags.contains(.secret))
            }
            markedParts.add(marked, for: whole)
        }
        guard let part = marked.flatMap({ TreeWalk($0, path.steps[whole.steps.count...]).node }) else { return nil }
        guard path.isOutsideOfArrays else { return part }
        // A `null` removes, as it does in the object of a file.
        if part.isNull { return nil }
        return part.withoutNulls
    }

    /// Returns a text of the environment as JSON, without its secrets marked.
    ///
    /// It is parsed once even if many paths lead into it.
    private mutating func parsed(_ text: String, at path: PropertyPath) -> JSONValue? {
        if let known = parsedTexts[path] { return known }
        let value = try? JSONValue(parsing: text, flags: .environment) { _ in true }
        parsedTexts.add(value, for: path)
        return value
    }

    /// Returns a value as it is written, with the texts masked that show a secret together with the values of their
    /// placeholders.
    static func written(_ node: JSONValue, at path: PropertyPath, in storage: PropertiesStorage) -> JSONValue {
        var resolver = PlaceholderResolver(storage)
        for searchesUnused in [false, true] {
            // Begins again, because a default that is not used may close a cycle.
            let found = resolver.revealing
            resolver = PlaceholderResolver(storage)
            resolver.revealing = found
            resolver.findsRevealing = true
            resolver.searchesUnusedDefaults = searchesUnused
            _ = try? resolver.resolve(node, at: path)
        }
        if resolver.revealing.isEmpty { return node.redacted }
        var place = path
        return (resolver.masking(node, at: &place) ?? node).redacted
    }

    private func masking(_ node: JSONValue, at path: inout PropertyPath) -> JSONValue? {
        if case .string = node.storage, revealing.contains(path) { return .string(Redaction.mask) }
        return node.replacingParts(at: &path) { masking($0, at: &$1) }
    }

    /// Returns a value with its placeholders resolved.
    mutating func resolve(_ node: JSONValue, at path: PropertyPath) throws(PropertiesError) -> JSONValue {
        var path = path
        return try resolveIfNeeded(node, at: &path) ?? node
    }

    /// Returns the resolved value, or nil if nothing in it needs to be resolved.
    private mutating func resolveIfNeeded(
        _ node: JSONValue, at path: inout PropertyPath
    ) throws(PropertiesError) -> JSONValue? {
        guard case .string(let string) = node.storage else {
            return try node.replacingParts(at: &path) { part, path throws(PropertiesError) in
                try resolveIfNeeded(part, at: &path)
            }
        }
        guard node.hasTemplate(string) else { return nil }
        let text = Text(string: string, node: node, path: path)
        // A text without a value must not end the search in those after it.
        return findsRevealing ? try? resolve(text) : try resolve(text)
    }

    private mutating func resolve(_ text: Text) throws(PropertiesError) -> JSONValue {
        if let known = results[text.path] { return try known.get() }
        if let start = inProgress.firstIndex(of: text.path) {
            let cycle = inProgress[start...].map(\.text) + [text.path.text]
            throw failure(.cycle(paths: cycle), of: text)
        }
        resolveInOrder(text)
        return try results[text.path]?.get() ?? text.node
    }

    /// Resolves a text after everything that its placeholders refer to.
    ///
    /// Texts wait in a list, so that a chain of placeholders needs no more stack than a single one.
    private mutating func resolveInOrder(_ text: Text) {
        var waiting = [Waiting(text: text)]
        while let last = waiting.indices.last {
            if waiting[last].template == nil, !begin(&waiting[last]) {
                waiting.removeLast()
            } else if let placeholder = waiting[last].placeholders.popLast() {
                let texts = consult(placeholder.target)
                if !texts.isEmpty {
                    // Once these are resolved, it is known whether the target exists.
                    waiting[last].placeholders.append(placeholder)
                    waiting += texts.reversed().map { Waiting(text: $0) }
                    continue
                }
                waiting[last].targets.append(placeholder.target)
                if let template = placeholder.defaultTemplate, searchesUnusedDefaults || isMissing(placeholder.target) {
                    waiting[last].placeholders += template.placeholders.reversed()
                }
            } else {
                finish(waiting.removeLast())
            }
        }
    }

    /// Starts with the placeholders of a text.
    ///
    /// Returns false if that is not necessary, or if the chain is too long.
    private mutating func begin(_ waiting: inout Waiting) -> Bool {
        let text = waiting.text
        guard results[text.path] == nil, !inProgress.contains(text.path) else { return false }
        do throws(PlaceholderProblem) {
            guard inProgress.count < Limits.placeholderChain else { throw .tooDeep }
            let template = try Template(parsing: text.string)
            waiting.template = template
            waiting.placeholders = template.placeholders.reversed()
            inProgress.append(text.path)
            return true
        } catch {
            results.add(.failure(failure(error, of: text)), for: text.path)
            return false
        }
    }

    private mutating func finish(_ waiting: Waiting) {
        guard let template = waiting.template else { return }
        // A read may begin anywhere in a chain, so its length is counted from the end.
        let length = waiting.targets.reduce(0) { max($0, chainLength(of: $1)) } + 1
        let result = Outcome { () throws(PropertiesError) in
            let value = try build(template, of: waiting.text)
            if length > Limits.placeholderChain { throw failure(.tooDeep, of: waiting.text) }
            return value
        }
        inProgress.removeLast()
        results.add(result, for: waiting.text.path)
        chainLengths.add(length, for: waiting.text.path)
    }

    /// Returns the number of texts in the longest chain of placeholders that begins in a target that was resolved.
    private mutating func chainLength(of target: Template.Target) -> Int {
        guard var consultation = consultations[target] else { return 0 }
        if let known = consultation.chainLength { return known }
        let length = consultation.texts.reduce(0) { max($0, chainLengths[$1] ?? 0) }
        consultation.chainLength = length
        consultations.set(consultation, for: target)
        return length
    }

    /// Whether a target that was consulted has no value, so that a default is used.
    private mutating func isMissing(_ target: Template.Target) -> Bool {
        guard let consultation = consultations[target], !consultation.isFound else { return false }
        // A path that leads through a text exists if the value of the text has such a part, also if it is JSON.
        guard case .property(let path) = target else { return true }
        do throws(PropertiesError) {
            return try value(at: path) == nil
        } catch {
            return false
        }
    }

    /// Records that a placeholder refers to a target.
    ///
    /// For a new target, returns its texts with placeholders, which must be resolved first.
    private mutating func consult(_ target: Template.Target) -> [Text] {
        if consultations[target] != nil { return [] }
        var consultation = Consultation()
        var texts: [Text] = []
        switch target {
        case .variable(let name):
            consultation.isFound = storage.settings.variable(name) != nil
        case .file(let path):
            // A file that causes an error does so even if the placeholder has a default.
            if case .missing = storage.settings.files.find(path) {} else { consultation.isFound = true }
        case .property(let target):
            switch storage.find(target) {
            case .missing, .removed:
                break
            case .found(let node):
                consultation.isFound = true
                consultation.height = Int(node.height)
                var place = target
                collectTexts(in: node, at: &place, to: &texts)
            case .hidden(let count):
                places.append(target.prefix(count))
            case .blocked(let node, let count):
                // Only a text can lead further. There is nothing below any other value.
                if case .string = node.storage {
                    var place = target.prefix(count)
                    places.append(place)
                    collectTexts(in: node, at: &place, to: &texts)
                }
            }
        }
        consultation.texts = texts.map(\.path)
        consultedTargets.append(target)
        consultations.add(consultation, for: target)
        return texts
    }

    // Without `forEachPart`, because it starts at any depth of a tree and its closure would need more stack per level.
    private func collectTexts(in node: JSONValue, at path: inout PropertyPath, to texts: inout [Text]) {
        switch node.storage {
        case .null, .boolean, .integer, .decimal:
            break
        case .string(let string):
            if node.hasTemplate(string) { texts.append(Text(string: string, node: node, path: path)) }
        case .array(let array):
            for (index, element) in array.elements.enumerated() {
                path.steps.append(.index(index))
                collectTexts(in: element, at: &path, to: &texts)
                path.steps.removeLast()
            }
        case .object(let object):
            for index in object.indices {
                path.steps.append(.key(object.key(at: index)))
                collectTexts(in: object.value(at: index), at: &path, to: &texts)
                path.steps.removeLast()
            }
        }
    }

    private mutating func build(_ template: Template, of text: Text) throws(PropertiesError) -> JSONValue {
        guard let placeholder = template.onlyPlaceholder else { return try buildText(template, of: text) }
        let value = try value(of: placeholder, in: text)
        if case .string(let string) = value.storage, !budget.takeBuilt(bytes: string.utf8.count) {
            throw exceeding(.tooLong, of: text)
        }
        // At its new place, more of the value may be secret.
        return storage.secrets.marking(value.standing(inPlaceOf: text.node), at: text.path)
    }

    private mutating func buildText(_ template: Template, of text: Text) throws(PropertiesError) -> JSONValue {
        var result = ""
        var flags: JSONNodeFlags = template.placeholders.isEmpty ? [] : [.text, .placeholder]
        var form = WrittenForm()
        for part in template.parts {
            var added = ""
            var addedFlags: JSONNodeFlags = []
            var isWritten = false
            switch part {
            case .text(let literal): (added, isWritten) = (literal, true)
            case .placeholder(let placeholder):
                do throws(PropertiesError) {
                    try append(placeholder, of: text, to: &added, &addedFlags)
                } catch {
                    // The rest of the text may show a secret even if this part has no value.
                    if !findsRevealing { throw error }
                }
            }
            guard budget.takeBuilt(bytes: added.utf8.count) else { throw exceeding(.tooLong, of: text) }
            result += added
            flags.formUnion(addedFlags)
            if findsRevealing { form.add(added, isWritten: isWritten) }
        }
        if form.showsSecret { revealing.insert(text.path) }
        var value = text.node.replacingContent(with: .string(result))
        value.flags.formUnion(flags)
        // The whole text may show a secret that its parts do not, such as a URL with a password.
        return storage.secrets.markingText(value, at: text.path)
    }

    private mutating func append(
        _ placeholder: Template.Placeholder, of text: Text, to result: inout String, _ flags: inout JSONNodeFlags
    ) throws(PropertiesError) {
        let value = try value(of: placeholder, in: text)
        flags.formUnion(value.flags.intersection([.secret, .holdsSecret, .environment, .verbatim]))
        switch value.storage {
        case .string(let string): result += string
        case .integer(let number): result += String(number)
        case .decimal(let number): result += number
        case .boolean(let boolean): result += boolean ? "true" : "false"
        case .null, .array, .object:
            throw failure(.notText(placeholder: placeholder.source, found: value.kindInWords), of: text)
        }
    }

    private mutating func value(
        of placeholder: Template.Placeholder, in text: Text
    ) throws(PropertiesError) -> JSONValue {
        if let value = try target(of: placeholder, in: text) {
            // The default of a secret is a secret, too.
            if findsRevealing, value.flags.contains(.secret), placeholder.defaultTemplate != nil {
                revealing.insert(text.path)
            }
            // A default that is not used is shown where the text is.
            if searchesUnusedDefaults, let template = placeholder.defaultTemplate { _ = try? build(template, of: text) }
            return value
        }
        guard let template = placeholder.defaultTemplate else { throw missing(placeholder, in: text) }
        var value = try build(template, of: text)
        // A default is text, unless it consists of another placeholder, whose value stays unchanged.
        if template.onlyPlaceholder == nil { value.flags.insert(.text) }
        return value
    }

    /// Returns the target of a placeholder, or nil if it does not exist.
    private mutating func target(
        of placeholder: Template.Placeholder, in text: Text
    ) throws(PropertiesError) -> JSONValue? {
        switch placeholder.target {
        case .variable(let name):
            if storage.settings.isNotUTF8(variable: name) {
                throw failure(.variableIsNotUTF8(placeholder: placeholder.source, name: name), of: text)
            }
            return storage.value(ofVariable: name, at: text.path)
        case .file(let file):
            switch storage.settings.files.find(file) {
            case .found(let value, _):
                return storage.secrets.markingText(value, at: text.path)
            case .missing:
                return nil
            case .undeclared(let directory):
                throw failure(.undeclaredFile(placeholder: placeholder.source, directory: directory), of: text)
            case .goesUp:
                throw failure(.fileGoesUp(placeholder: placeholder.source), of: text)
            }
        case .property(let target):
            // Checked before descending, because the levels above and below share the stack.
            let height = consultations[placeholder.target]?.height ?? 0
            if text.path.steps.count + height > JSONValue.nestingLimit { throw failure(.nestedTooDeeply, of: text) }
            if height > 0, let excess { throw excess }
            guard let value = try self.value(at: target) else { return nil }
            try checkSize(of: value, in: text)
            return value
        }
    }

    /// Returns the error for a placeholder without target and default.
    private mutating func missing(_ placeholder: Template.Placeholder, in text: Text) -> PropertiesError {
        switch placeholder.target {
        case .variable(let name):
            return failure(.missingVariable(placeholder: placeholder.source, name: name), of: text)
        case .file(let file):
            return failure(.missingFile(placeholder: placeholder.source, path: file), of: text)
        case .property(let target):
            if nearPaths == nil { nearPaths = storage.nearPaths }
            let near = nearPaths?.near(target) ?? []
            return failure(.missing(placeholder: placeholder.source, target: target.text, near: near), of: text)
        }
    }

    /// Checks the size of a copied value.
    ///
    /// If each placeholder refers to two others, the size doubles with each step, and a short file could fill the
    /// memory.
    private mutating func checkSize(of value: JSONValue, in text: Text) throws(PropertiesError) {
        guard value.height > 0 else { return }
        if Int(value.height) + text.path.steps.count > JSONValue.nestingLimit {
            throw failure(.nestedTooDeeply, of: text)
        }
        guard budget.takeBuilt(value.count) else { throw exceeding(.tooLarge, of: text) }
    }

    /// Returns the first error that exceeded the budget.
    private mutating func exceeding(_ problem: PlaceholderProblem, of text: Text) -> PropertiesError {
        let error = excess ?? failure(problem, of: text)
        excess = error
        return error
    }

    private func failure(_ problem: PlaceholderProblem, of text: Text) -> PropertiesError {
        let problem = text.node.hasSecrets ? problem.redacted : problem
        let origin = storage.origin(of: text.path)
        return PropertiesError(
            .placeholder(problem), path: text.path.text, file: origin?.name, position: origin?.position)
    }
}

extension JSONValue {
    /// Whether the text of this node has placeholders to resolve.
    ///
    /// Texts from the environment are used unchanged, and the results of placeholders are complete.
    fileprivate func hasTemplate(_ text: String) -> Bool {
        flags.isDisjoint(with: [.environment, .placeholder, .verbatim]) && Template.isTemplate(text)
    }

    /// Returns the value of a placeholder that is the whole text, instead of the text.
    fileprivate func standing(inPlaceOf node: JSONValue) -> JSONValue {
        var value = node.replacingContent(with: storage)
        value.flags = flags.union(.placeholder).union(node.flags.intersection(.secret))
        return value
    }
}

extension JSONValue {
    /// Subtracts the values in a value, and the bytes of its texts, from two numbers.
    ///
    /// Stops at 0.
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
