import TestSupport

/// Generates random programs.
struct ModelGenerator {
    private var random: SeededGenerator
    private var nextID = 0
    private var typeCount = 0
    private var moduleCount = 0
    /// The numbers of the contexts so far.
    private var contexts = [0]
    private let allowed: ModelFeatures
    /// The features of the current program.
    private var features: ModelFeatures = []

    private static let paths = ["p", "q", "a.x", "a.y"]

    init(seed: UInt64, features: ModelFeatures) {
        random = SeededGenerator(seed: seed)
        allowed = features
    }

    mutating func program() -> ModelProgram {
        typeCount = chance(0.7) ? number(3...5) : number(6...8)
        moduleCount = number(2...6)
        let keepsAll = chance(0.4)
        // Each program omits some features, so that each is tested with and without the others.
        for number in 0..<ModelFeatures.all.rawValue.bitWidth {
            let feature = ModelFeatures(rawValue: 1 << number)
            if allowed.contains(feature), chance(0.6) { features.insert(feature) }
        }
        if features.contains(.plainPushes) {
            // A comparison of existing instances makes a child full.
            features.formUnion(allowed.intersection([.children, .lagging]))
            if chance(0.7) { features.remove(.weak) }
        }
        if !keepsAll {
            // The reference does not model how long wrappers keep weak instances.
            if features.contains(.weakEnds) { features.subtract([.holders, .peers]) } else { features.remove(.weak) }
            if features.contains(.weak), !features.contains(.weakEndsOfChildren) { features.remove(.children) }
        }
        if features.contains(.asynchronous), !features.contains(.asynchronousInjections) {
            features.remove(.injections)
        }
        let modules = (0..<moduleCount).map { module($0) }
        var steps = [ModelStep(context: 0, action: .load([0], priority: 500))]
        if chance(0.5) { steps.append(ModelStep(context: 0, action: .loadFile(values(0.6)))) }
        if features.contains(.children) {
            if features.contains(.plainPushes) { appendPlainPushes(to: &steps) }
            for _ in 0..<number(1...2) { steps.append(ModelStep(context: context(), action: child())) }
        }
        for _ in 0..<number(5...30) { steps.append(ModelStep(context: context(), action: action())) }
        return ModelProgram(
            modules: modules, steps: steps, typeCount: typeCount, keepsAll: keepsAll, features: features)
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
        if chance(density) { values["on"] = pick(["1", "2"]) }
        return values
    }

    private mutating func module(_ id: Int) -> ModuleSpec {
        var module = ModuleSpec(id: id)
        if id == 0 {
            // The first module registers every type, so that most graphs can be made.
            for type in 0..<typeCount {
                let spec = registration(ModelKey(type: type))
                module.registrations.append(features.contains(.plainPushes) && chance(0.7) ? plain(spec) : spec)
                if chance(0.3) { module.registrations.append(registration(ModelKey(type: type, qualifier: "a"))) }
            }
        } else if features.contains(.plainPushes), chance(0.6) {
            return plainModule(id)
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
            if chance(0.15) {
                let path = features.contains(.followingConditions) ? pick(Self.paths) : "on"
                module.condition = ConditionSpec(path: path, value: pick(["1", "2"]))
            }
            if module.condition == nil || features.contains(.conditionalIncludes), chance(0.2) {
                module.included.append(number(0...moduleCount - 1))
            }
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
        if module.condition != nil, !features.contains(.alwaysByFiles) {
            for index in module.registrations.indices where module.registrations[index].lifetime == .always {
                module.registrations[index].lifetime = .singleton
            }
        }
        if chance(0.5) { module.properties = values(0.4) }
        if features.contains(.configurations), id > 0, chance(0.1) { module.registersConfiguration = true }
        var inputs: Set<ModelKey> = []
        // A module declares an input once.
        module.registrations.removeAll { $0.isInput && !inputs.insert($0.key).inserted }
        // Only files turn modules on, unless the program has conditions that follow modules.
        module.properties["on"] = nil
        return module
    }

    /// A module with one registration for each of some types, most of them with parameters only.
    private mutating func plainModule(_ id: Int) -> ModuleSpec {
        var module = ModuleSpec(id: id)
        for _ in 0..<number(1...3) {
            let type = number(0...typeCount - 1)
            if module.registrations.contains(where: { $0.key.type == type }) { continue }
            var spec = registration(ModelKey(type: type))
            spec = plain(spec)
            if !spec.isInput { spec.lifetime = pick([.singleton, .singleton, .custom(0), .custom(0), .custom(1)]) }
            (spec.aliases, spec.injections, spec.isAsynchronous) = ([], [], false)
            module.registrations.append(spec)
        }
        if features.contains(.configurations), chance(0.1) { module.registersConfiguration = true }
        return module
    }

    /// The registration, usually with a parameter as its only read.
    private mutating func plain(_ spec: RegistrationSpec) -> RegistrationSpec {
        guard !spec.isInput, chance(0.8) else { return spec }
        var spec = spec
        spec.takesParameter = true
        spec.peer = nil
        if chance(0.7) {
            (spec.aliases, spec.injections, spec.isAsynchronous) = ([], [], false)
            spec.lifetime = pick([.singleton, .custom(0), .custom(0), .prototype])
        }
        spec.reads = key(above: spec.key.type).map { [.one(ModelKey(type: $0.type))] } ?? []
        if chance(0.3) { spec.reads = [] }
        if features.contains(.configurations), chance(0.2) { spec.reads = [.configuration] }
        return spec
    }

    /// Adds children that push, and requests to them before anything else happens.
    private mutating func appendPlainPushes(to steps: inout [ModelStep]) {
        // The children get what is ready in the parent.
        for type in 0..<typeCount where chance(0.5) {
            let step = ModelStep(context: 0, action: .resolve(.one(ModelKey(type: type))))
            steps += chance(0.7) ? [step, step] : [step]
        }
        for _ in 0..<number(2...6) {
            let child = newContext()
            let module = number(1...moduleCount - 1)
            let opening = pick([[], [0], [0], [0], [0, 1]])
            let pushing = chance(0.8) ? [module] : [module, (module + 1) % moduleCount]
            steps.append(ModelStep(context: 0, action: .child(child, opening: opening, pushing: pushing)))
            for _ in 0..<number(0...5) {
                let read = ReadSpec.one(ModelKey(type: number(0...typeCount - 1)))
                steps.append(ModelStep(context: chance(0.85) ? child : 0, action: .resolve(read)))
            }
        }
    }

    private mutating func registration(_ key: ModelKey) -> RegistrationSpec {
        var lifetimes: [RegistrationSpec.Lifetime] = [
            .singleton, .singleton, .singleton, .singleton, .custom(0), .custom(0), .custom(1), .prototype, .always,
        ]
        if !features.contains(.children) || features.contains(.graphsOfChildren) { lifetimes.append(.graph) }
        if features.contains(.weak) { lifetimes += [.weak, .weak] }
        var spec = RegistrationSpec(id: id(), key: key, lifetime: pick(lifetimes))
        spec.isPrimary = chance(0.15)
        spec.reads = reads(above: key.type, 3)
        spec.takesParameter = chance(0.4)
        if key.type > 0, chance(0.2) {
            let qualifier = key.qualifier ?? pick([nil, nil, "b"])
            spec.aliases.append(ModelKey(type: number(0...key.type - 1), qualifier: qualifier))
        }
        spec.hasHook = chance(0.7)
        if features.contains(.failures), chance(0.15) { spec.flag = number(0...1) }
        if features.contains(.peers), chance(0.4) { spec.peer = wrapper(above: key.type, inMaker: true) }
        if features.contains(.injections), chance(0.25) {
            spec.injections = reads(above: key.type, 2).map { read in
                if case .caught = read { read } else { .caught(read) }
            }
        }
        if features.contains(.inputs), chance(0.2) {
            spec.isInput = true
            spec.lifetime = .custom(number(0...1))
            (spec.reads, spec.takesParameter, spec.hasHook) = ([], false, false)
            (spec.flag, spec.peer, spec.injections) = (nil, nil, [])
            return spec
        }
        if features.contains(.asynchronous), chance(0.3), [.singleton, .custom(0), .custom(1)].contains(spec.lifetime) {
            spec.isAsynchronous = true
            if !features.contains(.asynchronousReads) {
                spec.reads = spec.parameter.map { [$0] } ?? []
                spec.peer = nil
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
            if features.contains(.peers), !reads.isEmpty, chance(0.3) {
                read = .caught(.peer(of: number(0...reads.count - 1)))
            }
            reads.append(read)
        }
        return reads
    }

    private mutating func read(above type: Int) -> ReadSpec {
        guard let key = key(above: type), chance(0.8) else {
            if features.contains(.failures), chance(0.1) { return .demanded(pick(Self.paths)) }
            if features.contains(.configurations), chance(0.4) {
                return chance(0.5) ? .configuration : .caught(.configuration)
            }
            return chance(0.7) ? .property(pick(Self.paths)) : .properties("a")
        }
        switch number(0...17) {
        case 0...3: return .one(ModelKey(type: key.type))
        case 4: return .caught(.one(key))
        case 5, 6: return .caught(.optional(key))
        case 7: return .optional(key)
        case 8, 9: return .all(key, selection())
        case 10: return .caught(.all(key, selection()))
        case 11: return .caught(.chosen(type: key.type, path: pick(["kind", "kind", "kind", "p"])))
        case 12: return .caught(.product(key, text: chance(0.3)))
        case 13, 14: return .caught(.wrapper(wrapper(above: type, inMaker: true) ?? .property("p")))
        case 15 where features.contains(.heldReads): return .caught(.holder(above: type, of: .own))
        case 16 where features.contains(.parentReads): return .caught(.holder(above: type, of: .ancestor))
        default: return .caught(.one(ModelKey(type: key.type)))
        }
    }

    private mutating func wrapper(above type: Int, inMaker: Bool) -> WrapperSpec? {
        guard let key = key(above: type) else { return nil }
        switch number(0...9) {
        case 0..<3: return .one(key)
        case 3..<5: return .optional(key)
        case 5..<7: return .all(key)
        case 7..<9 where inMaker: return .lazy(key)
        case 7..<9: return .one(ModelKey(type: key.type))
        default:
            return features.contains(.configurations) && chance(0.5) ? .configuration : .property(pick(Self.paths))
        }
    }

    private mutating func selection() -> ReadSpec.Selection {
        switch number(0...5) {
        case 0 where features.contains(.chosenModules): .first
        case 1: .named(number(0...moduleCount - 1))
        case 2 where features.contains(.chosenModules): .chosen(number(0...moduleCount - 1))
        default: .all
        }
    }

    // MARK: Steps

    /// The number of a context that probably exists.
    private mutating func context() -> Int {
        chance(0.4) ? 0 : pick(contexts)
    }

    private mutating func child() -> ModelStep.Action {
        let child = newContext()
        let module = number(0...moduleCount - 1)
        return .child(
            child, opening: pick([[], [0], [0], [1], [0, 1]]),
            pushing: chance(0.4) ? [module] : chance(0.1) ? [module, (module + 1) % moduleCount] : [],
            keepsSettings: features.contains(.keptSettings) && chance(0.3))
    }

    private mutating func newContext() -> Int {
        let number = number(1...4)
        if !contexts.contains(number) { contexts.append(number) }
        return number
    }

    private mutating func action() -> ModelStep.Action {
        let key = ModelKey(type: number(0...typeCount - 1), qualifier: qualifier())
        let module = number(0...moduleCount - 1)
        if features.contains(.children), chance(0.1) {
            return .child(
                number(1...4), opening: pick([[], [0], [0], [1], [0, 1]]),
                pushing: chance(0.4) ? [module] : chance(0.1) ? [module, (module + 1) % moduleCount] : [],
                keepsSettings: features.contains(.keptSettings) && chance(0.3))
        }
        if features.contains(.forks), chance(0.04) { return .fork(number(1...4), pushing: chance(0.4) ? [module] : []) }
        if features.contains(.ends), chance(0.03) { return .end }
        if features.contains(.asynchronous), chance(0.15) { return .start }
        if features.contains(.replacingReloads), chance(0.05) { return .reloadAndStart(values(0.6)) }
        if features.contains(.failures), chance(0.1) { return .setFlag(number(0...1), chance(0.4)) }
        if features.contains(.holders), chance(0.3) {
            guard chance(0.25) else { return .readWrapper(number(0...5)) }
            return .makeWrapper(wrapper(above: number(-1...typeCount - 2), inMaker: false) ?? .property("p"))
        }
        switch number(0...99) {
        case 0..<30: return .resolve(.one(ModelKey(type: key.type)))
        case 30..<35: return .resolve(.one(key))
        case 35..<39: return .resolve(.optional(key))
        case 39..<44: return .resolve(.all(key, selection()))
        case 44..<46: return .resolve(.product(key, text: chance(0.3)))
        case 46..<47: return .resolve(.chosen(type: key.type, path: "kind"))
        case 47..<63: return .push(module, priority: pick([1000, 1000, 1000, 500, 100, 800]))
        case 63..<76: return .pop
        case 76..<81: return .popModule(module)
        case 81..<85:
            let others = (0..<moduleCount).filter { $0 != module }
            return .load(
                chance(0.3) && !others.isEmpty ? [module, pick(others)] : [module],
                priority: pick([500, 500, 100, 1000]))
        case 85..<88: return .unload(module)
        case 88..<90: return .reset
        case 90..<94: return .resetScope(number(0...1))
        case 94..<98: return .reload(values(0.6))
        case 98..<99: return .loadFile(values(0.4))
        default: return .unloadAll
        }
    }
}
