/// The registration, decorator or alias that gives an answer, with everything that it stands on.
indirect enum ReferenceSlot: Hashable {
    case registration(run: Int, id: Int)
    case factory(run: Int, id: Int)
    case decorator(run: Int, id: Int, of: ReferenceSlot)
    case alias(run: Int, id: Int, index: Int, of: ReferenceSlot)

    /// The runs of module closures that the slot stands on.
    var runs: [Int] {
        switch self {
        case .registration(let run, _), .factory(let run, _): [run]
        case .decorator(let run, _, let inner), .alias(let run, _, _, let inner): [run] + inner.runs
        }
    }

    /// The slot without the aliases around it.
    var shared: ReferenceSlot {
        guard case .alias(_, _, _, let inner) = self else { return self }
        return inner.shared
    }

    /// The registration or factory at the bottom.
    var base: Int {
        switch self {
        case .registration(_, let id), .factory(_, let id): id
        case .decorator(_, _, let inner), .alias(_, _, _, let inner): inner.base
        }
    }
}

/// What a making would be made of, from scratch, in one state: interned, so that comparing is comparing numbers.
struct ReferenceTree: Hashable {
    indirect enum Part: Hashable {
        /// What was found by a qualifier that a property gave.
        case chosen(String?, Part)
        case missing
        case ambiguous([Int])
        case tree(Int)
        case elements([Element], trees: [Int])
        case text(String)
        case nothing
    }

    struct Element: Hashable {
        let slot: ReferenceSlot
        let qualifier: String?
        let module: Int
    }

    let slot: ReferenceSlot
    let parts: [Part]
    let hasFailed: Bool
}

/// Gives equal trees one number.
final class ReferenceTrees {
    private var numbers: [ReferenceTree: Int] = [:]
    private(set) var list: [ReferenceTree] = []

    func number(of tree: ReferenceTree) -> Int {
        if let number = numbers[tree] { return number }
        list.append(tree)
        numbers[tree] = list.count - 1
        return list.count - 1
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
/// Everything is computed from these, by the rules as they are written.
final class ReferenceState {
    struct Module {
        let spec: ModuleSpec
        let run: Int
        let priority: Int
    }

    enum Answer {
        case missing
        case ambiguous([Int])
        case slot(ReferenceSlot)
    }

    let modules: [Module]
    private let files: [String: String]
    private let specs: ReferenceSpecs
    private let trees: ReferenceTrees
    private var known: [ReferenceSlot: Int] = [:]

    init(modules: [Module], files: [String: String], specs: ReferenceSpecs, trees: ReferenceTrees) {
        self.modules = modules
        self.files = files
        self.specs = specs
        self.trees = trees
    }

    // MARK: Properties

    /// The leaves, first wins: modules above the files, the files, the other modules.
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

    func properties(under path: String) -> String {
        leaves.keys.filter { $0.hasPrefix(path + ".") }.sorted()
            .map { "\($0.dropFirst(path.count + 1))=\(property($0) ?? "")" }.joined(separator: ",")
    }

    // MARK: Lookup

    /// Something in one module that could answer a key.
    private struct Candidate {
        let key: ModelKey
        let registration: RegistrationSpec
        /// Which of the registration's aliases it is.
        let alias: Int?
    }

    private func candidates(_ module: Module, _ type: Int) -> [Candidate] {
        module.spec.registrations.flatMap { spec in
            [Candidate(key: spec.key, registration: spec, alias: nil)]
                + spec.aliases.enumerated().map { Candidate(key: $1, registration: spec, alias: $0) }
        }
        .filter { $0.key.type == type }
    }

    func single(_ key: ModelKey) -> Answer {
        for index in modules.indices {
            let found = candidates(modules[index], key.type).filter { $0.key.qualifier == key.qualifier }
            if !found.isEmpty { return choose(found, index) }
        }
        guard key.qualifier == nil else { return .missing }
        for index in modules.indices {
            let found = candidates(modules[index], key.type)
            if !found.isEmpty { return choose(found, index) }
        }
        return .missing
    }

    private func choose(_ found: [Candidate], _ index: Int) -> Answer {
        if found.count == 1 { return slot(found[0], index) }
        let primary = found.filter(\.registration.isPrimary)
        return primary.count == 1 ? slot(primary[0], index) : .ambiguous(found.map(\.registration.id))
    }

    func factory(_ key: ModelKey, text: Bool) -> Answer {
        func first(_ matches: (FactorySpec) -> Bool) -> Answer? {
            for (index, module) in modules.enumerated() {
                let found = module.spec.factories.filter {
                    $0.key.type == key.type && $0.takesText == text && matches($0)
                }
                if found.isEmpty { continue }
                if found.count > 1 { return .ambiguous(found.map(\.id)) }
                return .slot(decorated(.factory(run: module.run, id: found[0].id), found[0].key, index))
            }
            return nil
        }
        return first { $0.key.qualifier == key.qualifier } ?? (key.qualifier == nil ? first { _ in true } : nil)
            ?? .missing
    }

    /// What a collection has, of all modules or of one; nothing but candidates where an alias in it is ambiguous.
    private func elements(_ key: ModelKey, of only: Int?, ofFirst isFirst: Bool = false) -> Elements {
        var elements: [ReferenceTree.Element] = []
        var seen: Set<ReferenceSlot> = []
        for (index, module) in modules.enumerated() {
            for candidate in candidates(module, key.type)
            where (only ?? module.spec.id) == module.spec.id
                && (key.qualifier == nil || candidate.key.qualifier == key.qualifier)
            {
                switch slot(candidate, index) {
                case .missing: continue
                case .ambiguous(let candidates): return Elements(ambiguous: candidates)
                case .slot(let slot):
                    guard seen.insert(slot.shared).inserted else { continue }
                    elements.append(.init(slot: slot, qualifier: candidate.key.qualifier, module: module.spec.id))
                }
            }
            if module.spec.replaced.contains(key.type) || isFirst && !elements.isEmpty { break }
        }
        return Elements(read: elements, selected: elements)
    }

    /// What a read of a collection depends on, and what it gives.
    struct Elements {
        var ambiguous: [Int]?
        var read: [ReferenceTree.Element] = []
        var selected: [ReferenceTree.Element] = []
    }

    func elements(_ key: ModelKey, _ selection: ReadSpec.Selection) -> Elements {
        var found: Elements
        switch selection {
        case .all: return elements(key, of: nil)
        case .named(let module): return elements(key, of: module)
        case .first:
            return elements(key, of: nil, ofFirst: true)
        case .chosen(let module):
            found = elements(key, of: nil)
            found.selected.removeAll { $0.module != module }
            found.read = found.selected
        }
        return found
    }

    /// An alias forwards to the registration's key: to the registration itself where no module in front has that key.
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

    // MARK: Trees

    func tree(_ slot: ReferenceSlot) -> Int {
        if let number = known[slot] { return number }
        let tree: ReferenceTree
        switch slot {
        case .registration(_, let id):
            let spec = specs.registrations[id]
            tree = self.tree(slot, [], spec?.reads ?? [], spec?.injections ?? [])
        case .factory(_, let id):
            tree = self.tree(slot, [], specs.factories[id]?.reads ?? [], [])
        case .decorator(_, let id, let inner):
            tree = self.tree(slot, [.tree(self.tree(inner))], specs.decorators[id]?.reads ?? [], [])
        case .alias(_, _, _, let inner):
            tree = self.tree(slot, [.tree(self.tree(inner))], [], [])
        }
        let number = trees.number(of: tree)
        known[slot] = number
        return number
    }

    private func tree(
        _ slot: ReferenceSlot, _ first: [ReferenceTree.Part], _ reads: [ReadSpec], _ injections: [ReadSpec]
    ) -> ReferenceTree {
        var parts = first
        if case .tree(let base) = first.first, trees.list[base].hasFailed {
            return ReferenceTree(slot: slot, parts: parts, hasFailed: true)
        }
        let offset = parts.count
        for read in reads {
            let (part, hasFailed) = part(read, Array(parts[offset...]))
            parts.append(part)
            if hasFailed { return ReferenceTree(slot: slot, parts: parts, hasFailed: true) }
        }
        let made = Array(parts[offset...])
        for read in injections { parts.append(part(read, made).part) }
        return ReferenceTree(slot: slot, parts: parts, hasFailed: false)
    }

    /// What a read gives, and whether it fails.
    func part(_ read: ReadSpec, _ earlier: [ReferenceTree.Part]) -> (part: ReferenceTree.Part, hasFailed: Bool) {
        switch read {
        case .one(let key), .lazy(let key):
            return part(single(key), missingFails: true)
        case .optional(let key), .wrapper(let key):
            return part(single(key), missingFails: false)
        case .product(let key, let text):
            return part(factory(key, text: text), missingFails: true)
        case .all(let key, let selection):
            let elements = elements(key, selection)
            if let candidates = elements.ambiguous { return (.ambiguous(candidates), true) }
            var made: [Int] = []
            for element in elements.selected {
                made.append(tree(element.slot))
                if trees.list[tree(element.slot)].hasFailed { return (.elements(elements.read, trees: made), true) }
            }
            return (.elements(elements.read, trees: made), false)
        case .chosen(let type, let path):
            guard let qualifier = property(path) else { return (.chosen(nil, .missing), true) }
            let (part, hasFailed) = part(single(ModelKey(type: type, qualifier: qualifier)), missingFails: true)
            return (.chosen(qualifier, part), hasFailed)
        case .property(let path):
            return (.text(property(path) ?? "none"), false)
        case .properties(let path):
            return (.text(properties(under: path)), false)
        case .peer(let position):
            guard earlier.indices.contains(position), let key = peer(earlier[position]) else {
                return (.nothing, false)
            }
            return part(single(key), missingFails: false)
        case .caught(let read):
            return (part(read, earlier).part, false)
        }
    }

    private func part(_ answer: Answer, missingFails: Bool) -> (part: ReferenceTree.Part, hasFailed: Bool) {
        switch answer {
        case .missing: (.missing, missingFails)
        case .ambiguous(let candidates): (.ambiguous(candidates), true)
        case .slot(let slot): (.tree(tree(slot)), trees.list[tree(slot)].hasFailed)
        }
    }

    /// What the method of a part reads.
    private func peer(_ part: ReferenceTree.Part) -> ModelKey? {
        let tree: Int
        switch part {
        case .tree(let number): tree = number
        case .elements(_, let numbers):
            guard let first = numbers.first else { return nil }
            tree = first
        case .chosen(_, let part): return peer(part)
        case .missing, .ambiguous, .text, .nothing: return nil
        }
        // What failed and was caught has no method to call.
        guard !trees.list[tree].hasFailed else { return nil }
        guard case .registration(_, let id) = trees.list[tree].slot.shared else { return nil }
        return specs.registrations[id]?.peer
    }
}
