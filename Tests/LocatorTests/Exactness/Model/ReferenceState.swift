/// The registration, decorator, or alias that answers a request, with everything below it.
indirect enum ReferenceSlot: Hashable {
    case registration(run: Int, id: Int)
    case factory(run: Int, id: Int)
    case decorator(run: Int, id: Int, of: ReferenceSlot)
    case alias(run: Int, id: Int, index: Int, of: ReferenceSlot)
    /// The type that is decoded from the settings, as one module registers it, or decoded.
    case configuration(run: Int?)

    /// The runs of module closures that the slot depends on.
    var runs: [Int] {
        switch self {
        case .registration(let run, _), .factory(let run, _): [run]
        case .decorator(let run, _, let inner), .alias(let run, _, _, let inner): [run] + inner.runs
        case .configuration(let run): run.map { [$0] } ?? []
        }
    }

    /// The registration or factory at the bottom, as a slot.
    var bottom: ReferenceSlot {
        switch self {
        case .registration, .factory, .configuration: self
        case .decorator(_, _, let inner), .alias(_, _, _, let inner): inner.bottom
        }
    }

    /// The slot without the aliases around it.
    var shared: ReferenceSlot {
        guard case .alias(_, _, _, let inner) = self else { return self }
        return inner.shared
    }

    /// The slot without any alias: two slots that differ in aliases only are one element of a collection.
    var withoutAliases: ReferenceSlot {
        switch self {
        case .alias(_, _, _, let inner): inner.withoutAliases
        case .decorator(let run, let id, let inner): .decorator(run: run, id: id, of: inner.withoutAliases)
        case .registration, .factory, .configuration: self
        }
    }

    /// The registration or factory at the bottom.
    var base: Int {
        switch self {
        case .registration(_, let id), .factory(_, let id): id
        case .decorator(_, _, let inner), .alias(_, _, _, let inner): inner.base
        case .configuration: -1
        }
    }
}

/// A question that a factory closure or a wrapper asks a state.
enum ReferenceQuestion: Hashable {
    case single(ModelKey)
    case factory(ModelKey, text: Bool)
    case elements(ModelKey, ReadSpec.Selection)
    case property(String)
    case properties(String)
    /// The type that is decoded from the settings, unless it is registered.
    case configuration

    /// Whether a closure chooses the modules.
    var choosesModules: Bool {
        if case .elements(_, .chosen) = self { true } else { false }
    }
}

/// The answer of a state.
enum ReferenceAnswer: Hashable {
    case missing
    /// Several registrations or factories could answer.
    case ambiguous([ReferenceSlot])
    /// Only factories match, which need a payload.
    case factories([ReferenceSlot])
    case slot(ReferenceSlot)
    case elements([Element])
    case text(String?)

    struct Element: Hashable {
        let slot: ReferenceSlot
        let qualifier: String?
    }
}

/// The specs of a program, by number.
struct ReferenceSpecs {
    let modules: [ModuleSpec]
    private(set) var registrations: [Int: RegistrationSpec] = [:]
    private(set) var decorators: [Int: DecoratorSpec] = [:]
    private(set) var factories: [Int: FactorySpec] = [:]

    init(_ modules: [ModuleSpec]) {
        self.modules = modules
        for module in modules {
            for spec in module.registrations { registrations[spec.id] = spec }
            for spec in module.decorators { decorators[spec.id] = spec }
            for spec in module.factories { factories[spec.id] = spec }
        }
    }
}

/// One state: the modules in lookup order and the properties.
///
/// Everything is computed from these by the documented rules.
final class ReferenceState {
    struct Module {
        let spec: ModuleSpec
        let run: Int
        let priority: Int
    }

    typealias Answer = ReferenceAnswer

    let modules: [Module]
    private let files: [String: String]
    private var known: [ReferenceQuestion: Answer] = [:]

    private let runs: Set<Int>

    init(modules: [Module], files: [String: String]) {
        self.modules = modules
        self.files = files
        runs = Set(modules.map(\.run))
    }

    /// The asynchronous registrations that answer for their keys, or are elements of a collection that a factory closure
    /// takes, or that was requested in vain.
    func asynchronousSlots(requestedInVain: Set<ReferenceSlot>) -> [ReferenceSlot] {
        modules.enumerated().flatMap { index, module in
            module.spec.registrations.filter(\.isAsynchronous).compactMap { spec in
                let slot = ReferenceSlot.registration(run: module.run, id: spec.id)
                if isFirst(spec.key, index) { return slot }
                guard case .elements(let elements) = answer(.elements(ModelKey(type: spec.key.type), .all)),
                    elements.contains(where: { $0.slot.bottom == slot }),
                    requestedInVain.contains(slot) || takesCollection(of: spec.key.type)
                else { return nil }
                return slot
            }
        }
    }

    /// Whether no module before a position has a key.
    func isFirst(_ key: ModelKey, _ index: Int) -> Bool {
        !modules[..<index].contains { candidates($0, key.type).contains { $0.key.qualifier == key.qualifier } }
    }

    private func takesCollection(of type: Int) -> Bool {
        modules.flatMap(\.spec.registrations).contains { spec in
            if case .all(let key, _)? = spec.parameter { key.type == type } else { false }
        }
    }

    /// The inputs of scopes, and whether a module in front answers their keys.
    func inputs(of scopes: Set<Int>) -> [(key: ModelKey, isHidden: Bool)] {
        modules.enumerated().flatMap { index, module in
            module.spec.registrations.filter { spec in
                guard case .custom(let scope) = spec.lifetime else { return false }
                return spec.isInput && scopes.contains(scope)
            }.map { ($0.key, !isFirst($0.key, index)) }
        }
    }

    /// Whether everything that a slot depends on is registered.
    func has(_ slot: ReferenceSlot) -> Bool { runs.isSuperset(of: slot.runs) }

    /// Returns the answer to a question, which never changes.
    func answer(_ question: ReferenceQuestion) -> Answer {
        if let answer = known[question] { return answer }
        let answer =
            switch question {
            case .single(let key): single(key)
            case .factory(let key, let text): factory(key, text: text)
            case .elements(let key, let selection): elements(key, selection)
            case .property(let path): Answer.text(property(path))
            case .properties(let path): Answer.text(properties(under: path))
            case .configuration: configuration
            }
        known[question] = answer
        return answer
    }

    // MARK: Properties

    /// The values by path.
    ///
    /// The first one wins: modules above the files, then the files, then the other modules.
    private lazy var leaves: [String: String] = {
        let layers =
            modules.filter { $0.priority > 750 }.map(\.spec.properties) + [files]
            + modules.filter { $0.priority <= 750 }.map(\.spec.properties)
        var leaves: [String: String] = [:]
        for layer in layers { leaves.merge(layer) { first, _ in first } }
        return leaves
    }()

    func property(_ path: String) -> String? {
        guard let text = leaves[path], text.hasPrefix("${") else { return leaves[path] }
        let inside = text.dropFirst(2).dropLast().split(separator: ":")
        return property(String(inside[0])) ?? String(inside[1])
    }

    private func properties(under path: String) -> String {
        leaves.keys.filter { $0.hasPrefix(path + ".") }.sorted()
            .map { "\($0.dropFirst(path.count + 1))=\(property($0) ?? "")" }.joined(separator: ",")
    }

    private var configuration: Answer {
        .slot(.configuration(run: modules.first(where: \.spec.registersConfiguration)?.run))
    }

    // MARK: Lookup

    /// A registration of one module that could answer a key.
    private struct Candidate {
        let key: ModelKey
        let registration: RegistrationSpec
        /// The number of the registration's alias.
        let alias: Int?
    }

    private func candidates(_ module: Module, _ type: Int) -> [Candidate] {
        module.spec.registrations.flatMap { spec in
            [Candidate(key: spec.key, registration: spec, alias: nil)]
                + spec.aliases.enumerated().map { Candidate(key: $1, registration: spec, alias: $0) }
        }
        .filter { $0.key.type == type }
    }

    private func single(_ key: ModelKey) -> Answer {
        for index in modules.indices {
            let found = candidates(modules[index], key.type).filter { $0.key.qualifier == key.qualifier }
            if !found.isEmpty { return choose(found, index) }
        }
        if key.qualifier == nil {
            for index in modules.indices {
                let found = candidates(modules[index], key.type)
                if !found.isEmpty { return choose(found, index) }
            }
        }
        let factories = modules.flatMap { module in
            module.spec.factories.filter {
                $0.key.type == key.type && (key.qualifier == nil || $0.key.qualifier == key.qualifier)
            }.map { ReferenceSlot.factory(run: module.run, id: $0.id) }
        }
        return factories.isEmpty ? .missing : .factories(factories)
    }

    private func choose(_ found: [Candidate], _ index: Int) -> Answer {
        if found.count == 1 { return slot(found[0], index) }
        let primary = found.filter(\.registration.isPrimary)
        if primary.count == 1 { return slot(primary[0], index) }
        return .ambiguous(found.map { .registration(run: modules[index].run, id: $0.registration.id) })
    }

    private func factory(_ key: ModelKey, text: Bool) -> Answer {
        func first(_ matches: (FactorySpec) -> Bool) -> Answer? {
            for (index, module) in modules.enumerated() {
                let found = module.spec.factories.filter {
                    $0.key.type == key.type && $0.takesText == text && matches($0)
                }
                if found.isEmpty { continue }
                if found.count > 1 { return .ambiguous(found.map { .factory(run: module.run, id: $0.id) }) }
                return .slot(decorated(.factory(run: module.run, id: found[0].id), found[0].key, index))
            }
            return nil
        }
        return first { $0.key.qualifier == key.qualifier } ?? (key.qualifier == nil ? first { _ in true } : nil)
            ?? .missing
    }

    /// The elements of a collection, in lookup order and then registration order.
    private func elements(_ key: ModelKey, _ selection: ReadSpec.Selection) -> Answer {
        var elements: [Answer.Element] = []
        var seen: Set<ReferenceSlot> = []
        for (index, module) in modules.enumerated() {
            let isSelected =
                switch selection {
                case .all: true
                case .first: elements.isEmpty
                case .named(let id), .chosen(let id): module.spec.id == id
                }
            for candidate in candidates(module, key.type)
            where isSelected && (key.qualifier == nil || candidate.key.qualifier == key.qualifier) {
                switch slot(candidate, index) {
                case .ambiguous(let candidates): return .ambiguous(candidates)
                case .slot(let slot):
                    guard seen.insert(slot.withoutAliases).inserted else { continue }
                    elements.append(.init(slot: slot, qualifier: candidate.key.qualifier))
                case .missing, .factories, .elements, .text: continue
                }
            }
            if module.spec.replaced.contains(key.type) { break }
        }
        return .elements(elements)
    }

    /// An alias forwards to the registration's key: to the registration itself, unless a module in front has that key.
    private func slot(_ candidate: Candidate, _ index: Int) -> Answer {
        let module = modules[index]
        let registration = candidate.registration
        let own = ReferenceSlot.registration(run: module.run, id: registration.id)
        guard let alias = candidate.alias else { return .slot(decorated(own, registration.key, index)) }
        let isFirst = !modules[..<index].contains { other in
            candidates(other, registration.key.type).contains { $0.key.qualifier == registration.key.qualifier }
        }
        var target = Answer.slot(decorated(own, registration.key, index))
        if !isFirst { target = single(registration.key) }
        guard case .slot(let inner) = target else { return target }
        let slot = ReferenceSlot.alias(run: module.run, id: registration.id, index: alias, of: inner)
        return .slot(decorated(slot, candidate.key, index))
    }

    private func decorated(_ slot: ReferenceSlot, _ key: ModelKey, _ index: Int) -> ReferenceSlot {
        var slot = slot
        for module in modules[...index].reversed() {
            for decorator in module.spec.decorators
            where decorator.type == key.type && (decorator.qualifier ?? key.qualifier) == key.qualifier {
                slot = .decorator(run: module.run, id: decorator.id, of: slot)
            }
        }
        return slot
    }

    /// The slot of a registration with the decorators of its own key.
    func decoratedSlot(_ registration: RegistrationSpec, of module: Int) -> ReferenceSlot? {
        guard let index = modules.firstIndex(where: { $0.spec.id == module }) else { return nil }
        return decorated(.registration(run: modules[index].run, id: registration.id), registration.key, index)
    }
}
