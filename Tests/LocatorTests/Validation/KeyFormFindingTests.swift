import Locator
import Testing

@Suite("Validation finds a key of a module that a file writes in another Unicode form")
struct KeyFormFindingTests {
    @Test func module_hasOtherForm() throws {
        let report = try LocatorTests.report(
            on: Module("Defaults", properties: ["menu.caf\u{E9}": 1]),
            Module("Fakes", properties: ["menu.cafe\u{301}": 2]))
        #expect(
            report == """
                error: the setting menu.caf\u{E9}: module "Fakes" has the same key in another Unicode form \
                (U+00E9 here, U+0065 U+0301 there); write both in the same form (module "Defaults")
                  fix: copy the key from one place to the other
                1 error in 0 registrations
                """)
    }

    @Test func module_hasTheSameForm() throws {
        let report = try LocatorTests.report(
            on: Module("Defaults", properties: ["menu.caf\u{E9}": 1]),
            Module("Fakes", properties: ["menu.caf\u{E9}": 2]))
        #expect(!report.contains("Unicode"))
    }
}
