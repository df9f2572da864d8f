import Locator
import TestSupport
import Testing

/// Any number of types, each a text with a number in its type.
private struct Numbered<Tens, Ones>: Sendable {
    let text: String
}

private enum D0 {}
private enum D1 {}
private enum D2 {}
private enum D3 {}
private enum D4 {}
private enum D5 {}
private enum D6 {}

/// One of the many types to register and resolve.
private struct ManyKey {
    let register: (Registry, String) -> Void
    let text: (AppContext) throws -> String?

    init<Tens, Ones>(_: Tens.Type, _: Ones.Type) {
        register = { registry, text in registry.register { Numbered<Tens, Ones>(text: text) } }
        text = { try $0.resolve(Numbered<Tens, Ones>?.self)?.text }
    }

    /// 49 of them.
    static var all: [ManyKey] {
        let digits: [any Any.Type] = [D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self]
        var all: [ManyKey] = []
        func ones<Tens>(_ tens: Tens.Type) {
            func add<Ones>(_ ones: Ones.Type) { all.append(ManyKey(tens, ones)) }
            for digit in digits { _openExistential(digit, do: add) }
        }
        for digit in digits { _openExistential(digit, do: ones) }
        return all
    }
}

private struct Payload {
    let text: String
}

/// A module looks up a type in one table, whose rows contain all registrations of a type.
@Suite("A module with many keys finds each key, in registration order")
struct ManyKeysTests {
    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 11, 12, 24, 48, 49])
    func types_areFound_andNoOthers(count: Int) throws {
        let module = Module("Many") { registry in
            for (number, type) in ManyKey.all.prefix(count).enumerated() { type.register(registry, "text \(number)") }
        }
        let context = try AppContext().load(module)
        for (number, type) in ManyKey.all.enumerated() {
            #expect(try type.text(context) == (number < count ? "text \(number)" : nil))
        }
    }

    @Test func qualifiersOfManyTypes_keepTheirOrder() throws {
        let module = Module("Many") { registry in
            for number in 0..<100 {
                registry.register(qualifier: .named("\(number)")) { "text \(number)" }
                registry.register(qualifier: .named("\(number % 10)")) { number }
            }
        }
        let context = try AppContext().load(module)
        #expect(try context.texts() == (0..<100).map { "text \($0)" })
        #expect(try context.resolve(String.self, qualifier: "73") == "text 73")
        #expect(try context.resolveAll(Int.self) == Array(0..<100))
        #expect(try context.resolveAll(Int.self, qualifier: "3") == (0..<10).map { 3 + $0 * 10 })
    }

    @Test func aliases_areBehindTheirOwnRegistration_wheneverTheyAreWritten() throws {
        let module = Module("Aliases") { registry in
            registry.register { "first" }
            let number = registry.register { 2 }
            registry.register(qualifier: "third") { "third" }
            let other = registry.register { 4.5 }
            other.alias(String.self, qualifier: "fourth") { "fourth \($0)" }
            other.alias(String.self, qualifier: "fifth") { "fifth \($0)" }
            number.alias(String.self, qualifier: "second") { "second \($0)" }
        }
        let context = try AppContext().load(module)
        // One instance is one element, whatever its aliases.
        #expect(try context.texts() == ["first", "second 2", "third", "fourth 4.5"])
        #expect(try context.resolve(String.self, qualifier: "fifth") == "fifth 4.5")
    }

    @Test func manyDecorators_wrapInTheirOrder_alsoWhatTheModuleDoesNotRegister() throws {
        let decorating = Module("Decorating") { registry in
            registry.register { 1 }
            for number in 0..<20 { registry.decorate(String.self) { "\($0) \(number)" } }
        }
        let context = try AppContext().load(decorating, .text("a"))
        #expect(try context.resolve(String.self) == "a " + (0..<20).map(String.init).joined(separator: " "))
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func replacing_holdsForTypes_thatTheModuleDoesNotRegister() throws {
        let replacing = Module("Replacing") { $0.replaceAll(String.self) }
        let context = try AppContext().load(.text("a"))
        try context.push(replacing)
        #expect(try context.texts() == [])
        context.pop()
        #expect(try context.texts() == ["a"])
    }

    @Test func factories_andRegistrationsOfOneType_areDistinguished() throws {
        let module = Module("Both") { registry in
            registry.factory { (payload: Payload) in "from \(payload.text)" }
            registry.register { "registered" }
            registry.factory { (payload: Int, number: Double) in "from \(payload) and \(number)" }
            registry.register { 1.5 }
        }
        let context = try AppContext().load(module)
        #expect(try context.resolve(String.self) == "registered")
        #expect(try context.texts() == ["registered"])
        for _ in 0..<3 {
            #expect(try context.resolve(String.self, with: Payload(text: "it")) == "from it")
            #expect(try context.resolve(String.self, with: 2) == "from 2 and 1.5")
        }
    }

    @Test func pushedTypes_areSeen_howeverManyWereRequested() throws {
        let context = try AppContext().load(.text("a"))
        let fake = Module("Fake") { registry in
            for type in ManyKey.all { type.register(registry, "fake") }
            registry.register { "fake" }
        }
        #expect(try context.resolve(String.self) == "a")
        try context.push(fake)
        #expect(try context.resolve(String.self) == "fake")
        for type in ManyKey.all { #expect(try type.text(context) == "fake") }
        context.pop()
        #expect(try context.resolve(String.self) == "a")
        for type in ManyKey.all { #expect(try type.text(context) == nil) }
        try context.push(fake)
        for type in ManyKey.all { #expect(try type.text(context) == "fake") }
    }

    @Test func registeringAfterTheClosure_stopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            nonisolated(unsafe) var kept: Registry?
            try AppContext().load(Module("Late") { kept = $0 })
            kept?.register { "late" }
        }
        #expect(text(result).contains("Fatal error: module \"Late\" uses its registry after its closure has returned"))
    }

    @Test func refiningAfterTheClosure_stopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            nonisolated(unsafe) var kept: Registration<String>?
            try AppContext().load(Module("Late") { kept = $0.register { "late" } })
            kept?.primary()
        }
        #expect(text(result).contains("Fatal error: module \"Late\" uses its registry after its closure has returned"))
    }
}
