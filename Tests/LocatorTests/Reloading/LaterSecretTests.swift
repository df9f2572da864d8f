import Locator
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
}
