import Foundation
import LocatorProperties
import TestSupport

/// A folder on disk with profile files in `Config` and a directory `secrets` that has a file for each setting.
struct SettingsDisk {
    let folder: TemporaryFolder

    var secrets: String { folder.path + "/secrets" }

    init(_ base: String = "{}", _ files: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        try write(base, to: "Config/application.json")
        try makeFolder("secrets")
        for (name, text) in files { try write(text, to: "secrets/\(name)") }
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try makeFolder(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)]))
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    /// Makes a link, and replaces an existing one.
    func link(_ name: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: path(name))
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    func source(_ overrides: PropertyOverrides? = nil, environment: [String: String] = [:]) -> PropertiesSource {
        PropertiesSource(
            .folder(path("Config")), environment: environment, overrides: overrides ?? .directory(secrets))
    }

    func load(_ overrides: PropertyOverrides? = nil, environment: [String: String] = [:]) throws -> Properties {
        try source(overrides, environment: environment).load()
    }

    /// The text of the error of a load.
    ///
    /// The folder is called `…`.
    func failure(_ overrides: PropertyOverrides? = nil, environment: [String: String] = [:]) -> String? {
        message { _ = try load(overrides, environment: environment) }?
            .replacingOccurrences(of: folder.path, with: "…")
    }
}
