import Locator
import TestSupport
import Testing

private protocol Store: Sendable {}

@Suite("A secret that a module lists is masked in everything that was read before")
struct LaterSecretTests {
    @Test(arguments: [true, false])
    func errors_areMasked(isPushed: Bool) throws {
        let context = try AppContext().load(
            Module(
                "Shop",
                properties: ["api.code": "s3cr3t", "url": "http://host/${api.code}", "kind": "${api.code}"]))
        func errors() -> String {
            var text = ""
            do { _ = try context.value("url", as: Int.self) } catch { text += error.description }
            do {
                _ = try context.resolve((any Store).self, qualifier: .property("kind"))
            } catch {
                text += error.description
            }
            return text + context.explain((any Store).self, qualifier: .property("kind")).description
        }
        #expect(errors().contains("s3cr3t"))
        let list = Module("List", properties: ["locator.secrets": ["api.code"]])
        if isPushed { try context.push(list) } else { try context.load(list, priority: .high) }
        #expect(!errors().contains("s3cr3t"))
        if isPushed {
            context.pop()
            #expect(errors().contains("s3cr3t"))
        }
    }

    @Test(
        "The error of a load or reload does not show it either",
        arguments: [
            #"{"api": {"code": hunter2}}"#, #"{"api": {"code": "${missing} hunter2"}}"#,
            #"{"o": {}, "api": {"code": "${o:hunter2} x"}}"#, #"{"api": {"code": "${unclosed hunter2"}}"#,
        ])
    func errorOfLoad_isMasked(text: String) throws {
        let files = MemoryFiles("{}")
        let context = try AppContext().loadProperties(files.source)
        let event = Late<String>()
        let observation = context.observe { if case .reloadFailed(let error) = $0 { event.value = "\(error)" } }
        defer { observation.end() }
        let list = Module("List", properties: ["locator.secrets": ["api.code"]])
        try context.push(list)
        files.content = text
        let reload = message { try context.reloadProperties() }
        let load = message { try context.loadProperties(files.source) }
        for text in [reload, load, event.value ?? ""] {
            #expect(text?.contains("hunter2") == false, "\(text ?? "")")
        }
        #expect(reload?.contains("application.json:1") == true)
        // Only errors are affected, and only while the list is there.
        context.pop()
        files.content = #"{"api": {"code": "hunter2"}}"#
        try context.reloadProperties()
        #expect(context.properties.description.contains("hunter2"))
    }

    @Test("The error of a variable with JSON does not show it")
    func errorOfVariable_isMasked() throws {
        let context = try AppContext().load(Module("List", properties: ["locator.secrets": ["api.code"]]))
        var source = MemoryFiles(#"{"api": {"code": {"a": "b"}}}"#).source
        source.environment = ["S_API__CODE": #"{"a": hunter2}"#]
        source.overrides = .environment(prefix: "S_")
        let error = message { try context.loadProperties(source) }
        #expect(error?.contains("S_API__CODE") == true)
        #expect(error?.contains("hunter2") == false, "\(error ?? "")")
    }

    @Test("A list in the files of an earlier load counts, too")
    func listOfEarlierLoad_counts() throws {
        let context = try AppContext().loadProperties(MemoryFiles(#"{"locator": {"secrets": ["api.code"]}}"#).source)
        let error = message { try context.loadProperties(MemoryFiles(#"{"api": {"code": hunter2}}"#).source) }
        #expect(error?.contains("not shown, it belongs to a secret") == true, "\(error ?? "")")
    }
}
