import LocatorProperties
import Testing

@Suite("A file may name its JSON Schema, which is not a setting")
struct SchemaKeyTests {
    @Test func text_isDropped_inEveryFile() throws {
        let properties = try load(
            [
                "": ##"{ "$schema": "./settings.schema.json", "a": 1 }"##,
                "dev": ##"{ "b": 2, "$schema": "https://${nowhere}" }"##,
            ], profiles: "dev")
        #expect(properties.paths == ["a", "b"])
        #expect(properties["['$schema']"] == nil)
        #expect(properties.explain("['$schema']").layers == [])
    }

    @Test func anythingElse_isASetting() throws {
        let properties = try load([
            "": ##"{ "$schema": { "version": 1 }, "server": { "$schema": "x" } }"##
        ])
        #expect(properties.paths == ["['$schema'].version", "server['$schema']"])
    }
}
