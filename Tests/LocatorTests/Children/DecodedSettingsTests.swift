import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

private struct Limits: ConfigProperty {
    static let path = "limits"
    let count: Int
}

/// What a basket is made from, made for each basket.
private struct Rules: Sendable {
    let limits: Limits
}

/// Decoded with a second setting and a service.
private struct Price: ConfigProperty {
    static let path = "price"
    let total: Int

    init(from decoder: any Decoder) throws {
        let amount = try decoder.singleValueContainer().decode(Int.self)
        let factor = try PropertyValue<Int>("other.factor").resolved()
        total = amount * factor * (try Dependency<Rate>().resolved().value)
    }
}

private final class Rate: Sendable {
    let value: Int
    init(_ value: Int) { self.value = value }
}

private final class Language: ConfigProperty {
    static let path = "language"
    let code: String
}

private final class Holder {
    @Dependency var limits: Limits
}

private final class Basket: Sendable {
    let count: Int
    init(count: Int) { self.count = count }
}

@Suite("An instance that takes decoded settings depends on the settings, not on the decoded object")
struct DecodedSettingsTests {
    /// How a basket gets the settings.
    enum Way: CaseIterable {
        case parameter, prototype, resolver, wrapper, value

        func register(in registry: Registry, _ log: Log) {
            registry.register(scope: .prototype, Rules.init)
            switch self {
            case .parameter:
                registry.register(scope: .request) { (limits: Limits) in Basket(count: limits.count) }
                    .onDispose { log("\($0.count)") }
            case .prototype:
                registry.register(scope: .request) { (rules: Rules) in Basket(count: rules.limits.count) }
                    .onDispose { log("\($0.count)") }
            case .resolver:
                registry.register(scope: .request) { (resolver: Resolver) in
                    Basket(count: try resolver.resolve(Limits.self).count)
                }
                .onDispose { log("\($0.count)") }
            case .wrapper:
                registry.register(scope: .request) { Basket(count: Holder().limits.count) }
                    .onDispose { log("\($0.count)") }
            case .value:
                registry.register(scope: .request) { (resolver: Resolver) in
                    Basket(count: try resolver.value("limits.count"))
                }
                .onDispose { log("\($0.count)") }
            }
        }
    }

    private struct Shop {
        let files: MemoryFiles
        let context = AppContext()
        let log = Log()

        init(_ way: Way, count: Int) throws {
            files = MemoryFiles(Self.text(count))
            let log = log
            try context.loadProperties(files.source).load(Module("Shop") { way.register(in: $0, log) })
        }

        static func text(_ count: Int) -> String { #"{ "limits": { "count": \#(count) } }"# }

        func reload(_ count: Int) throws {
            files.content = Self.text(count)
            try context.reloadProperties()
        }
    }

    @Test("A child that keeps its settings shares what its parent makes of restored ones", arguments: Way.allCases)
    func childThatKeepsItsSettings(way: Way) throws {
        let shop = try Shop(way, count: 1)
        _ = try shop.context.resolve(Limits.self)
        let child = try shop.context.child(keepsSettings: true)
        try shop.reload(2)
        try shop.reload(1)
        let basket = try shop.context.resolve(Basket.self)
        #expect(try child.resolve(Basket.self) === basket)
    }

    @Test("A child that has decoded them itself lets its parent make what both can use", arguments: Way.allCases)
    func childThatHasDecodedThem(way: Way) throws {
        let shop = try Shop(way, count: 1)
        let child = try shop.context.child()
        try child.push(Module("Pushed", properties: ["limits.count": 2]))
        _ = try child.resolve(Limits.self)
        try shop.reload(2)
        child.pop()
        let basket = try child.resolve(Basket.self)
        #expect(try shop.context.resolve(Basket.self) === basket)
    }

    @Test("A child with settings of its own keeps its instance", arguments: Way.allCases, [0, 1])
    func childWithSettings(way: Way, first: Int) throws {
        let shop = try Shop(way, count: first)
        if first == 0 { _ = try shop.context.resolve(Limits.self) }
        let child = try shop.context.child(
            opening: .request, pushing: Module("Fixed", properties: ["limits.count": 0]))
        let basket = try child.resolve(Basket.self)
        try shop.reload(7)
        #expect(try child.resolve(Basket.self) === basket)
        try shop.context.push(Module("Pushed", properties: ["limits.count": 8]))
        #expect(try child.resolve(Basket.self) === basket)
        shop.context.pop()
        #expect(try child.resolve(Basket.self) === basket)
        try shop.reload(0)
        #expect(try child.resolve(Basket.self) === basket)
        #expect(shop.log.take() == [])
        #expect(try child.resolve(Limits.self).count == 0)
    }

    enum Push: CaseIterable {
        case nothing, setting, registration
    }

    @Test("A child without these settings follows its parent", arguments: Way.allCases, Push.allCases)
    func childWithoutSettings(way: Way, push: Push) throws {
        let shop = try Shop(way, count: 0)
        let child = try shop.context.child(opening: .request)
        switch push {
        case .nothing: break
        case .setting: try child.push(Module("Other", properties: ["other": 0]))
        case .registration: try child.push(Module("Other") { [log = shop.log] in way.register(in: $0, log) })
        }
        let basket = try child.resolve(Basket.self)
        try shop.context.reset(.singleton)
        #expect(try child.resolve(Basket.self) === basket)
        try shop.reload(7)
        let other = try child.resolve(Basket.self)
        #expect(other !== basket && other.count == 7)
        #expect(shop.log.take() == ["0"])
        try shop.context.push(Module("Pushed", properties: ["limits.count": 8]))
        #expect(try child.resolve(Basket.self).count == 8)
        shop.context.pop()
        #expect(try child.resolve(Basket.self) === other)
        #expect(shop.log.take() == ["8"])
    }

    @Test("A child that is not used before its parent restores them keeps its instance", arguments: Way.allCases)
    func childThatIsNotUsedMeanwhile(way: Way) throws {
        let shop = try Shop(way, count: 1)
        _ = try shop.context.resolve(Limits.self)
        let (lean, full) = (try shop.context.child(opening: .request), try shop.context.child(opening: .request))
        try full.push(Module("Other", properties: ["other": 0]))
        let baskets = (try lean.resolve(Basket.self), try full.resolve(Basket.self))
        try shop.reload(2)
        try shop.context.push(Module("Pushed", properties: ["limits.count": 1]))
        #expect(try lean.resolve(Basket.self) === baskets.0)
        #expect(try full.resolve(Basket.self) === baskets.1)
        #expect(shop.log.take() == [])
        shop.context.pop()
        #expect(try lean.resolve(Basket.self).count == 2 && full.resolve(Basket.self).count == 2)
    }

    @Test("A reset of the singletons does not end it", arguments: Way.allCases)
    func reset(way: Way) throws {
        let shop = try Shop(way, count: 0)
        let basket = try shop.context.resolve(Basket.self)
        try shop.context.reset(.singleton)
        #expect(try shop.context.resolve(Basket.self) === basket)
        #expect(shop.log.take() == [])
        try shop.context.push(Module("Pushed", properties: ["limits.count": 8]))
        #expect(try shop.context.resolve(Basket.self).count == 8)
        try shop.context.reset(.singleton)
        shop.context.pop()
        #expect(try shop.context.resolve(Basket.self) === basket)
        try shop.reload(7)
        #expect(try shop.context.resolve(Basket.self).count == 7)
        #expect(shop.log.take() == ["8", "0"])
    }

    @Test("The decoded object stays the same until its settings change, for everyone")
    func decodedObject() throws {
        let files = MemoryFiles(#"{ "language": { "code": "de" } }"#)
        let context = try AppContext().loadProperties(files.source)
        let (plain, optional) = AppContext.withContext(context) { (Dependency<Language>(), Dependency<Language?>()) }
        let language = try plain.resolved()
        #expect(try optional.resolved() === language)
        try context.reset()
        try context.reset(.singleton)
        #expect(try context.resolve(Language.self) === language)
        #expect(try plain.resolved() === language && optional.resolved() === language)
        files.content = #"{ "language": { "code": "fr" } }"#
        try context.reloadProperties()
        let other = try context.resolve(Language.self)
        #expect(other.code == "fr")
        #expect(try plain.resolved() === other && optional.resolved() === other)
    }

    @Test("A child that keeps its settings keeps the object when its parent is reset")
    func decodedObject_ofKeptSettings() throws {
        let files = MemoryFiles(#"{ "language": { "code": "de" } }"#)
        let context = try AppContext().loadProperties(files.source)
        let child = try context.child(keepsSettings: true)
        let language = try child.resolve(Language.self)
        files.content = #"{ "language": { "code": "fr" } }"#
        try context.reloadProperties()
        #expect(try child.resolve(Language.self) === language)
        try context.reset()
        #expect(try child.resolve(Language.self) === language)
        #expect(try context.resolve(Language.self).code == "fr")
    }

    enum Change: CaseIterable {
        case setting, service, resetService
    }

    @Test("Other reads of its decoder count as well", arguments: Push.allCases, Change.allCases)
    func customDecoder(push: Push, change: Change) throws {
        let files = MemoryFiles(#"{ "price": 2, "other": { "factor": 1 } }"#)
        let rate = Module("Rate") { registry in registry.register { Rate(9) } }
        let context = try AppContext().loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register { Rate(1) }
                registry.register(scope: .request) { (price: Price) in Basket(count: price.total) }
            })
        let child = try context.child(opening: .request)
        switch push {
        case .nothing: break
        case .setting: try child.push(Module("Other", properties: ["something": 0]))
        case .registration: try child.push(Module("Other") { registry in registry.register { "text" } })
        }
        let basket = try child.resolve(Basket.self)
        #expect(basket.count == 2)
        switch change {
        case .setting:
            files.content = #"{ "price": 2, "other": { "factor": 5 } }"#
            try context.reloadProperties()
            #expect(try child.resolve(Basket.self).count == 10)
        case .service:
            try context.push(rate)
            #expect(try child.resolve(Basket.self).count == 18)
            context.pop()
            #expect(try child.resolve(Basket.self).count == 2)
        case .resetService:
            try context.reset(.singleton)
            try context.push(rate)
            #expect(try child.resolve(Basket.self).count == 18)
        }
    }

    @Test("A child shares it until the settings of its parent change", arguments: Way.allCases)
    func sharedInAChild(way: Way) throws {
        let shop = try Shop(way, count: 0)
        let basket = try shop.context.resolve(Basket.self)
        let child = try shop.context.child(pushing: Module("Fixed", properties: ["limits.count": 0]))
        #expect(try child.resolve(Basket.self) === basket)
        try shop.context.reset(.singleton)
        #expect(try child.resolve(Basket.self) === basket)
        try shop.reload(7)
        #expect(try shop.context.resolve(Basket.self).count == 7)
        #expect(try child.resolve(Basket.self).count == 0)
        #expect(shop.log.take() == ["0"])
    }
}
