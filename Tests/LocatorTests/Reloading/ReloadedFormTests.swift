import Locator
import TestSupport
import Testing

@Suite("A reload that changes only how a value is written or masked replaces what was made from it")
struct ReloadedFormTests {
    private final class Holder: Sendable {
        let value: JSONValue
        init(_ value: JSONValue) { self.value = value }
    }

    private struct Form: Sendable, CustomTestStringConvertible {
        let before: String
        let after: String
        /// The text of the value after the reload.
        let shown: String
        var testDescription: String { "\(before) -> \(after)" }

        static let all = [
            Form(before: #"{"v": 1.0}"#, after: #"{"v": 1}"#, shown: "1"),
            Form(
                before: #"{"v": 9007199254740993}"#, after: #"{"v": 9007199254740993.0}"#, shown: "9007199254740993.0"),
            Form(before: #"{"v": [-0.0]}"#, after: #"{"v": [0]}"#, shown: "[0]"),
            Form(
                before: #"{"v": "hunter2"}"#, after: #"{"locator": {"secrets": ["v"]}, "v": "hunter2"}"#,
                shown: #""<secret>""#),
            Form(
                before: #"{"v": {"a": "hunter2"}}"#,
                after: #"{"locator": {"secrets": ["v.a"]}, "v": {"a": "hunter2"}}"#,
                shown: #"{"a":"<secret>"}"#),
        ]
    }

    @Test(arguments: Form.all)
    private func readers_getTheNewForm(form: Form) throws {
        let files = MemoryFiles(form.before)
        let context = try AppContext().loadProperties(files.source).load(
            Module("Holder") { $0.register { (resolver: Resolver) in Holder(try resolver.value("v")) } })
        let wrapper = AppContext.withContext(context) { PropertyValue<JSONValue>("v") }
        let holder = try context.resolve(Holder.self)
        #expect(wrapper().description == holder.value.description)
        files.content = form.after
        try context.reloadProperties()
        #expect(wrapper().description == form.shown)
        #expect(try context.resolve(Holder.self).value.description == form.shown)
        #expect(try context.resolve(Holder.self) !== holder)
    }

    @Test("A number that is no Double becomes one if it is written with a fraction")
    func number_becomesReadable() throws {
        let files = MemoryFiles(#"{"v": 9007199254740993}"#)
        let context = try AppContext().loadProperties(files.source)
        let wrapper = AppContext.withContext(context) { PropertyValue<Double>("v") }
        #expect(throws: LocatorError.self) { try wrapper.resolved() }
        files.content = #"{"v": 9007199254740993.0}"#
        try context.reloadProperties()
        #expect(try wrapper.resolved() == 9_007_199_254_740_992)
        files.content = #"{"v": 9007199254740993}"#
        try context.reloadProperties()
        #expect(throws: LocatorError.self) { try wrapper.resolved() }
    }
}
