import Locator
import Testing

@Suite("An optional Lazy, Provider, or Factory is nil if nothing is registered, and only then")
struct LaterOptionalTests {
    private struct Clock: Sendable {}
    private final class Holder: Sendable {
        let isNil: Bool
        init(isNil: Bool) { self.isNil = isNil }
    }

    private struct Limits: ConfigProperty {
        static let path = "limits"
        let most: Int
    }

    /// A parameter, and what makes it possible to use it.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holder: Module
        let needed: Module
        /// Whether a request for the optional itself returns nil.
        let isNil: @Sendable (AppContext) throws -> Bool

        init<Parameter>(_ type: Parameter?.Type, _ needed: Module) {
            testDescription = "\(type)"
            holder = Module("Holder") { registry in
                registry.register { (parameter: Parameter?) in Holder(isNil: parameter == nil) }
            }
            self.needed = needed
            isNil = { try $0.resolve(Parameter?.self) == nil }
        }
    }

    private static let clock = Module("Clock") { $0.register { Clock() } }
    private static let factory = Module("Factory") { registry in
        registry.factory(Clock.self) { (_: Int) in Clock() }
    }

    static let shapes = [
        Shape(Lazy<Clock>?.self, clock),
        Shape(Provider<Clock>?.self, clock),
        Shape(Factory<Int, Clock>?.self, factory),
        Shape(
            AsyncFactory<Int, Clock>?.self,
            Module("Factory") { $0.factory(Clock.self, given: Int.self, async: { (_: Int) in Clock() }) }),
        Shape(Lazy<Limits>?.self, Module("Limits", properties: ["limits": ["most": 3]])),
    ]

    @Test(arguments: shapes)
    func parameter_isNil_untilTheTypeIsRegistered(_ shape: Shape) throws {
        let context = try AppContext().load(shape.holder)
        let before = try context.resolve(Holder.self)
        #expect(before.isNil)
        try context.push(shape.needed)
        #expect(try !context.resolve(Holder.self).isNil)
        // Another registration of the type makes no difference for the holder.
        let holder = try context.resolve(Holder.self)
        try context.push(Self.clock, Self.factory)
        #expect(try context.resolve(Holder.self) === holder)
        let child = try context.child(pushing: Module("Fake") { $0.register { Clock() } })
        #expect(try child.resolve(Holder.self) === holder)
        context.pop()
        context.pop()
        #expect(try context.resolve(Holder.self) === before)
    }

    @Test(arguments: shapes)
    func request_isNil_untilTheTypeIsRegistered(_ shape: Shape) throws {
        let context = try AppContext().load(Module("Other") { $0.register(String.self) { "" } })
        for context in [context, try context.child()] {
            #expect(try shape.isNil(context))
            let push = try context.push(shape.needed)
            // The second request may find an answer that the first one has left.
            for _ in 1...2 { #expect(try !shape.isNil(context)) }
            push.pop()
            #expect(try shape.isNil(context))
        }
    }

    @Test func whatIsNeverMissing_isNotNil_inARequest() throws {
        let context = AppContext()
        #expect(try context.resolve(Lazy<[Clock]>?.self)?.value.count == 0)
        #expect(try context.resolve(Lazy<Clock?>?.self) != nil)
        #expect(try context.resolve([Clock]?.self)?.count == 0)
    }

    @Test func whatIsNeverMissing_isNotNil() throws {
        let context = try AppContext().load(
            Module("Holder") { registry in
                registry.register(Int.self) { (clocks: Lazy<[Clock]>?) in clocks?.value.count ?? -1 }
                registry.register(Double.self) { (clock: Lazy<Clock?>?) in clock?.value == nil ? 1 : 2 }
                registry.register(Bool.self) { (resolver: Resolver?) in resolver != nil }
            })
        #expect(try context.resolve(Int.self) == 0)
        #expect(try context.resolve(Double.self) == 1)
        #expect(try context.resolve(Bool.self))
    }
}
