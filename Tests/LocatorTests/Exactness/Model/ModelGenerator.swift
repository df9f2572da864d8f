/// Makes up random programs.
struct ModelGenerator {
    private var random: SeededGenerator
    private var nextID = 0
    private var typeCount = 0
    private var moduleCount = 0
    private var usesPeers = false
    private var usesWeak = false
    private var usesInjections = false

    private static let paths = ["p", "q", "a.x", "a.y"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func program() -> ModelProgram {
        typeCount = number(3...8)
        moduleCount = number(2...6)
        let keepsAll = chance(0.4)
        usesWeak = keepsAll
        usesPeers = chance(0.6)
        usesInjections = chance(0.4)
        let usesWrappers = chance(0.6)
        let modules = (0..<moduleCount).map { module($0) }
        var steps: [ModelStep] = [.load([0], priority: 500)]
        if chance(0.5) { steps.append(.loadFile(values(0.6))) }
        for _ in 0..<number(5...30) { steps.append(step(usesWrappers)) }
        return ModelProgram(modules: modules, steps: steps, typeCount: typeCount, keepsAll: keepsAll)
    }

    // MARK: Chance

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func id() -> Int {
        nextID += 1
        return nextID
    }

    // MARK: Modules

    private mutating func qualifier() -> String? { pick([nil, nil, nil, nil, "a", "a", "b"]) }

    private mutating func values(_ density: Double) -> [String: String] {
        var values: [String: String] = [:]
        for path in Self.paths where chance(density) {
            values[path] = path == "p" && chance(0.4) ? pick(["${q:d}", "${a.x:d}"]) : pick(["1", "2"])
        }
        if chance(density) { values["kind"] = pick(["a", "b"]) }
        return values
    }

    private mutating func module(_ id: Int) -> ModuleSpec {
        var module = ModuleSpec(id: id)
        if id == 0 {
            // The first module has something of every type, so that most graphs can be made.
            for type in 0..<typeCount {
                module.registrations.append(registration(ModelKey(type: type)))
                if chance(0.3) { module.registrations.append(registration(ModelKey(type: type, qualifier: "a"))) }
            }
        } else {
            for _ in 0..<number(0...3) {
                module.registrations.append(
                    registration(ModelKey(type: number(0...typeCount - 1), qualifier: qualifier())))
            }
            if chance(0.25) {
                let key = module.registrations.first?.key ?? ModelKey(type: number(0...typeCount - 1))
                module.registrations.append(registration(key))
            }
            if chance(0.15) { module.replaced.append(number(0...typeCount - 1)) }
            if chance(0.15) { module.condition = ConditionSpec(path: pick(Self.paths), value: pick(["1", "2"])) }
            if chance(0.2) { module.included.append(number(0...moduleCount - 1)) }
        }
        if chance(0.3) {
            let type = number(0...typeCount - 1)
            module.decorators.append(
                DecoratorSpec(
                    id: self.id(), type: type, qualifier: pick([nil, nil, "a"]), reads: reads(above: type, 1)))
        }
        if chance(0.3) {
            let type = number(0...typeCount - 1)
            module.factories.append(
                FactorySpec(
                    id: self.id(), key: ModelKey(type: type, qualifier: pick([nil, nil, "a"])), takesText: chance(0.3),
                    reads: reads(above: type, 2)))
        }
        if chance(0.5) { module.properties = values(0.4) }
        return module
    }

    private mutating func registration(_ key: ModelKey) -> RegistrationSpec {
        var lifetimes: [RegistrationSpec.Lifetime] = [
            .singleton, .singleton, .singleton, .singleton, .custom, .custom, .prototype, .graph, .always,
        ]
        if usesWeak { lifetimes += [.weak, .weak] }
        var spec = RegistrationSpec(id: id(), key: key, lifetime: pick(lifetimes))
        spec.isPrimary = chance(0.15)
        spec.reads = reads(above: key.type, 3)
        spec.takesParameter = chance(0.4)
        if key.type > 0, chance(0.2) {
            let qualifier = key.qualifier ?? pick([nil, nil, "b"])
            spec.aliases.append(ModelKey(type: number(0...key.type - 1), qualifier: qualifier))
        }
        if usesPeers, chance(0.4) { spec.peer = self.key(above: key.type) }
        if usesInjections, chance(0.25) {
            spec.injections = reads(above: key.type, 2).map { read in
                if case .caught = read { read } else { .caught(read) }
            }
        }
        return spec
    }

    private mutating func key(above type: Int) -> ModelKey? {
        type + 1 < typeCount ? ModelKey(type: number(type + 1...typeCount - 1), qualifier: qualifier()) : nil
    }

    private mutating func reads(above type: Int, _ limit: Int) -> [ReadSpec] {
        var reads: [ReadSpec] = []
        for _ in 0..<number(0...limit) {
            var read = read(above: type)
            if usesPeers, !reads.isEmpty, chance(0.3) { read = .caught(.peer(of: number(0...reads.count - 1))) }
            reads.append(read)
        }
        return reads
    }

    private mutating func read(above type: Int) -> ReadSpec {
        guard let key = key(above: type), chance(0.8) else {
            return chance(0.7) ? .property(pick(Self.paths)) : .properties("a")
        }
        switch number(0...15) {
        case 0...3: return .one(ModelKey(type: key.type))
        case 4: return .caught(.one(key))
        case 5, 6: return .caught(.optional(key))
        case 7: return .optional(key)
        case 8, 9: return .all(key, selection())
        case 10: return .caught(.all(key, selection()))
        case 11: return .caught(.chosen(type: key.type, path: pick(["kind", "kind", "kind", "p"])))
        case 12: return .caught(.product(key, text: chance(0.3)))
        case 13: return .caught(.wrapper(key))
        case 14: return .caught(.lazy(key))
        default: return .caught(.one(ModelKey(type: key.type)))
        }
    }

    private mutating func selection() -> ReadSpec.Selection {
        switch number(0...5) {
        case 0: .first
        case 1: .named(number(0...moduleCount - 1))
        case 2: .chosen(number(0...moduleCount - 1))
        default: .all
        }
    }

    // MARK: Steps

    private mutating func step(_ usesWrappers: Bool) -> ModelStep {
        let key = ModelKey(type: number(0...typeCount - 1), qualifier: qualifier())
        let module = number(0...moduleCount - 1)
        switch number(0...99) {
        case 0..<20: return .resolve(.one(ModelKey(type: key.type)))
        case 20..<25: return .resolve(.one(key))
        case 25..<29: return .resolve(.optional(key))
        case 29..<34: return .resolve(.all(key, selection()))
        case 34..<36: return .resolve(.product(key, text: chance(0.3)))
        case 36..<37: return .resolve(.chosen(type: key.type, path: "kind"))
        case 37..<53: return .push(module, priority: pick([1000, 1000, 1000, 500, 100, 800]))
        case 53..<66: return .pop
        case 66..<71: return .popModule(module)
        case 71..<75:
            let others = (0..<moduleCount).filter { $0 != module }
            return .load(
                chance(0.3) && !others.isEmpty ? [module, pick(others)] : [module],
                priority: pick([500, 500, 100, 1000]))
        case 75..<78: return .unload(module)
        case 78..<79: return .reset
        case 79..<82: return .resetScope
        case 82..<86: return .reload(values(0.6))
        case 86..<87: return .loadFile(values(0.4))
        case 87..<88: return .unloadAll
        case 88..<91 where usesWrappers: return .makeWrapper(key)
        case 91... where usesWrappers: return .readWrapper(number(0...5))
        default: return .resolve(.one(ModelKey(type: key.type)))
        }
    }
}
