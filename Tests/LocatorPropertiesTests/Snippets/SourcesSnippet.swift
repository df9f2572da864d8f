import LocatorProperties
import TestSupport
import Testing

@Suite("The snippet of the article on sources does what it says")
struct SourcesSnippet {
    private func load(from folder: String, secrets: String, environment: [String: String]) throws -> Properties {
        let properties = try Properties.load(
            from: folder,
            environment: environment,
            overrides: [.directory(secrets), .environment(prefix: "SHOP_")],
            folderVariable: PropertiesSource.folderVariable)
        return properties
    }

    @Test("Variables override the directory, and the variable chooses the folder")
    func sources_lieOverEachOther() throws {
        let folder = try TemporaryFolder(["application.json": #"{"a": 1, "b": 1, "c": 1}"#])
        let secrets = try TemporaryFolder(["b": "2", "c": "2"])
        let properties = try load(
            from: "Nowhere", secrets: secrets.path, environment: ["LOCATOR_CONFIG": folder.path, "SHOP_C": "3"])
        #expect(try ["a", "b", "c"].map { try properties.value($0, as: Int.self) } == [1, 2, 3])
    }
}
