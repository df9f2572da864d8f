import Locator
import Testing

private struct Mail: Sendable { let password: String? }

@Suite("What a placeholder leads to is hidden as soon as a module replaces the placeholder")
struct HiddenPartTests {
    private let context: AppContext

    init() throws {
        context = try AppContext().load(
            Module("Shop", properties: ["prod.mail": ["host": "smtp", "password": "pw"], "mail": "${prod.mail}"]) {
                $0.register { (resolver: Resolver) in
                    Mail(password: try resolver.value("mail.password", as: String?.self))
                }
            })
    }

    private func expect(_ password: String?, in context: AppContext) throws {
        #expect(try context.value("mail.password", as: String?.self) == password)
        #expect(try context.resolve(Mail.self).password == password)
    }

    @Test func push_hidesPartsUntilItsPop() throws {
        let child = try context.child()
        try expect("pw", in: context)
        try expect("pw", in: child)
        try context.push(Module("Test", properties: ["mail.host": "localhost"]))
        try expect(nil, in: context)
        try expect(nil, in: child)
        context.pop()
        try expect("pw", in: context)
        try expect("pw", in: child)
    }

    @Test func childAlone_hidesParts() throws {
        try expect("pw", in: context)
        let child = try context.child(pushing: Module("Test", properties: ["mail.host": "localhost"]))
        try expect(nil, in: child)
        try expect("pw", in: context)
    }
}
