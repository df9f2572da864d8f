import Locator
import TestSupport

/// An instance of a random wiring: its registration, and what it was made from.
protocol Part: Sendable {
    init(id: Int, given: [any Given])
    var id: Int { get }
    /// The arguments of the factory closure.
    var given: [any Given] { get }
}

/// A value that a factory closure got, and the parts that are made for it.
protocol Given: Sendable {
    func parts() throws -> [any Part]
}

extension Optional: Given where Wrapped: Given {
    func parts() throws -> [any Part] { try map { try $0.parts() } ?? [] }
}

extension Array: Given where Element: Given {
    func parts() throws -> [any Part] { try flatMap { try $0.parts() } }
}

extension Lazy: Given where Value: Given {
    func parts() throws -> [any Part] { try resolved().parts() }
}

extension Provider: Given where Value: Given {
    func parts() throws -> [any Part] { try self().parts() }
}

extension Given where Self: Part {
    func parts() -> [any Part] { [self] }
}

struct Many: Part, Given { let id: Int; let given: [any Given] }
struct PartA: Part, Given { let id: Int; let given: [any Given] }
struct PartB: Part, Given { let id: Int; let given: [any Given] }
struct PartC: Part, Given { let id: Int; let given: [any Given] }
struct PartD: Part, Given { let id: Int; let given: [any Given] }
struct PartE: Part, Given { let id: Int; let given: [any Given] }
struct PartF: Part, Given { let id: Int; let given: [any Given] }

/// Modules with random dependencies, including all kinds of dependencies and mistakes.
struct RandomWiring {
    /// A registered key, as text and as requests.
    struct Asked {
        let key: Key
        let ask: @Sendable (AppContext) throws -> [any Part]
    }

    private static let types: [any (Part & Given).Type] = [
        Many.self, PartA.self, PartB.self, PartC.self, PartD.self, PartE.self, PartF.self,
    ]

    private(set) var modules: [(module: Module, priority: Priority)] = []
    private(set) var asked: [Key: Asked] = [:]
    /// The output, which is shown if a test fails.
    private(set) var text = ""
    private var nextID = 0

    /// Whether most dependencies exist: types only depend on later ones, and the last module registers all of them.
    private let isCareful: Bool

    init(using generator: inout SeededGenerator) {
        isCareful = Bool.random(using: &generator)
        for number in 0..<Int.random(in: 1...3, using: &generator) {
            let name = "Module \(number)"
            var steps: [@Sendable (Registry) -> Void] = []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                steps += [step(in: name, written: &steps, using: &generator)]
            }
            let written = steps
            let module = Module(name) { registry in for step in written { step(registry) } }
            modules.append((module, Bool.random(using: &generator) ? .normal : .low))
            text += "\(name) \(modules[number].priority)\n"
        }
        guard isCareful else { return }
        for type in Self.types { note(type, Key(type)) }
        let all = Self.types.enumerated().map { registering($1, nil, 0, -1 - $0, [], []) }
        modules.append((Module("All") { registry in for step in all { step(registry) } }, 0))
    }

    private var registered: Set<String> = []

    private mutating func step(
        in module: String, written: inout [@Sendable (Registry) -> Void], using generator: inout SeededGenerator
    ) -> @Sendable (Registry) -> Void {
        let number = Int.random(in: 0..<Self.types.count, using: &generator)
        let type = Self.types[number]
        let last = number == Self.types.count - 1
        let parameters = (0..<(isCareful && last ? 0 : [0, 1, 1, 1, 2].randomElement(using: &generator)!)).map { _ in
            let isOrdered = isCareful && Int.random(in: 0..<30, using: &generator) > 0
            return parameter(behind: isOrdered ? number : -1, using: &generator)
        }
        let parameterQualifiers = parameters.map { _ in
            Int.random(in: 0..<(isCareful ? 60 : 8), using: &generator) == 0 ? "a" : nil
        }
        nextID += 1
        if Int.random(in: 0..<8, using: &generator) == 0 {
            text +=
                "\(module) \(nextID): decorate \(type)(\(zip(parameters, parameterQualifiers).map { "\($0) \($1 ?? "")" }))\n"
            return decorating(type, nextID, parameters, parameterQualifiers.map { $0.map { Qualifier.named($0) } })
        }
        let isMany = type == Many.self
        let qualifier = isMany ? nil : ["a", "b", nil, nil].randomElement(using: &generator)!
        let scope = Int.random(in: 0..<3, using: &generator)
        let key = Key(type, qualifier: qualifier)
        // Only one of the types has several registrations of one key in one module.
        guard registered.insert("\(module) \(key)").inserted || isMany else { return { _ in } }
        text +=
            "\(module) \(nextID): \(key) \(scope)(\(zip(parameters, parameterQualifiers).map { "\($0) \($1 ?? "")" }))\n"
        note(type, key)
        let isInjected = Int.random(in: 0..<4, using: &generator) == 0
        let injected = isInjected ? Self.types[Int.random(in: 0..<Self.types.count, using: &generator)] : nil
        if let injected { text += "  injecting \(injected)\n" }
        return registering(
            type, qualifier, scope, nextID, parameters, parameterQualifiers.map { $0.map { Qualifier.named($0) } },
            injected: injected)
    }

    /// Records how a key is requested: as a collection if one module has several registrations of it.
    private mutating func note<P: Part & Given>(_ type: P.Type, _ key: Key) {
        let qualifier = key.qualifier.map { Qualifier.named($0) }
        asked[key] = Asked(key: key) { context in
            do {
                return [try context.resolve(type, qualifier: qualifier)]
            } catch let error as LocatorError {
                guard case .ambiguous(let found, _) = error.kind, found == key, error.chain.isEmpty else { throw error }
                // The key of a collection, whose elements can all be made.
                return try context.resolveAll(type, qualifier: qualifier, from: .first)
            }
        }
    }

    private func parameter(behind number: Int, using generator: inout SeededGenerator) -> any Given.Type {
        func shape<P: Part & Given>(_ type: P.Type, _ number: Int) -> any Given.Type {
            switch number {
            case 0: P?.self
            case 1: [P].self
            case 2: Lazy<P>.self
            case 3: Provider<P>.self
            case 4: Lazy<P?>.self
            default: P.self
            }
        }
        let type = Self.types[Int.random(in: (number + 1)..<Self.types.count, using: &generator)]
        return shape(type, Int.random(in: 0..<12, using: &generator))
    }
}

private func registering(
    _ type: any (Part & Given).Type, _ qualifier: String?, _ scope: Int, _ id: Int, _ parameters: [any Given.Type],
    _ parameterQualifiers: [Qualifier?], injected: (any Given.Type)? = nil
) -> @Sendable (Registry) -> Void {
    func add<P: Part & Given, each G: Given>(
        _ type: P.Type, _ parameters: repeat (each G).Type
    ) -> @Sendable (Registry) -> Void {
        @Sendable func make(_ given: repeat each G) -> P {
            var list: [any Given] = []
            repeat list.append(each given)
            return P(id: id, given: list)
        }
        let qualifier = qualifier.map { Qualifier.named($0) }
        @Sendable func register<I: Given>(_ registry: Registry, injecting injected: I.Type) {
            @Sendable func inject(_: P, _: I) {}
            switch scope {
            case 0:
                registry.register(type, qualifier: qualifier, parameterQualifiers: parameterQualifiers, make).injecting
                { inject($0, $1) }
            case 1:
                registry.register(
                    type, qualifier: qualifier, scope: .graph, parameterQualifiers: parameterQualifiers, make
                )
                .injecting { inject($0, $1) }
            default:
                registry.register(
                    type, qualifier: qualifier, scope: .prototype, parameterQualifiers: parameterQualifiers, make
                )
                .injecting { inject($0, $1) }
            }
        }
        return { registry in
            if let injected { return register(registry, injecting: injected) }
            switch scope {
            case 0: registry.register(type, qualifier: qualifier, parameterQualifiers: parameterQualifiers, make)
            case 1:
                registry.register(
                    type, qualifier: qualifier, scope: .graph, parameterQualifiers: parameterQualifiers, make)
            default:
                registry.register(
                    type, qualifier: qualifier, scope: .prototype, parameterQualifiers: parameterQualifiers, make)
            }
        }
    }
    func one<G: Given>(_ parameter: G.Type) -> @Sendable (Registry) -> Void { add(type, parameter) }
    func two<G: Given>(_ first: G.Type, _ second: any Given.Type) -> @Sendable (Registry) -> Void {
        func both<H: Given>(_ second: H.Type) -> @Sendable (Registry) -> Void { add(type, first, second) }
        return both(second)
    }
    switch parameters.count {
    case 0: return add(type)
    case 1: return one(parameters[0])
    default: return two(parameters[0], parameters[1])
    }
}

private func decorating(
    _ type: any (Part & Given).Type, _ id: Int, _ parameters: [any Given.Type], _ parameterQualifiers: [Qualifier?]
) -> @Sendable (Registry) -> Void {
    func add<P: Part & Given, each G: Given>(
        _ type: P.Type, _ parameters: repeat (each G).Type
    ) -> @Sendable (Registry) -> Void {
        @Sendable func decorate(_ base: P, _ given: repeat each G) -> P {
            var list: [any Given] = [base]
            repeat list.append(each given)
            return P(id: id, given: list)
        }
        return { registry in registry.decorate(type, parameterQualifiers: parameterQualifiers, decorate) }
    }
    func one<G: Given>(_ parameter: G.Type) -> @Sendable (Registry) -> Void { add(type, parameter) }
    func two<G: Given>(_ first: G.Type, _ second: any Given.Type) -> @Sendable (Registry) -> Void {
        func both<H: Given>(_ second: H.Type) -> @Sendable (Registry) -> Void { add(type, first, second) }
        return both(second)
    }
    switch parameters.count {
    case 0: return add(type)
    case 1: return one(parameters[0])
    default: return two(parameters[0], parameters[1])
    }
}
