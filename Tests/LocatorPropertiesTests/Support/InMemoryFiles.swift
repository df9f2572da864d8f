import LocatorProperties

extension FileSystem {
    /// Files by path; the folders are those that the paths have.
    static func inMemory(_ files: [String: String], unreadable: [String: FileProblem] = [:]) -> FileSystem {
        FileSystem(
            read: { path throws(FileProblem) in
                if let problem = unreadable[path] { throw problem }
                guard let text = files[path] else { throw .noFile }
                return Array(text.utf8)
            },
            list: { path throws(FileProblem) in
                let prefix = path + "/"
                let names = files.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
                if names.isEmpty { throw .noFolder }
                return names.sorted()
            })
    }
}

/// Loads files of a folder in memory.
///
/// The keys are names of profiles, or "" for the base.
func load(
    _ files: [String: String], profiles: ProfileList? = nil, default defaultProfiles: ProfileList = [],
    environment: [String: String] = [:], prefix: String? = nil, secrets: [String] = [],
    unreadable: [String: FileProblem] = [:]
) throws(PropertiesError) -> Properties {
    var source = PropertiesSource(
        .folder("Config"), profiles: profiles, default: defaultProfiles, environment: environment,
        overrides: prefix.map { .environment(prefix: $0) }, secrets: secrets)
    var paths: [String: String] = [:]
    for (profile, text) in files {
        paths["Config/application\(profile.isEmpty ? "" : "-\(profile)").json"] = text
    }
    source.fileSystem = .inMemory(paths, unreadable: unreadable)
    return try source.load()
}

/// The text of the error that a function throws, or nil.
func message(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return "\(error)"
    }
}

extension Properties {
    /// The texts of all settings, or the error.
    var resolvedText: String {
        let values = paths.map { path in
            switch lookup(path).result {
            case .success(let value): "\(path)=\(value?.text() ?? "missing")"
            case .failure(let error): "\(path)!\(error)"
            }
        }
        return values.joined(separator: " ")
    }
}
