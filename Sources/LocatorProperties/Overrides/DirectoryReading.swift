/// Reads a directory that has a file for each setting.
///
/// A volume that Kubernetes mounts has its files in a hidden folder with a time in its name, and a link `..data` to that
/// folder, which is swapped when they change. The link is followed once, so that all files are of one version; where it
/// was swapped meanwhile, they are read again.
struct DirectoryReading {
    /// A file, and what it holds.
    struct File {
        /// The path, as one sees it.
        let path: String
        /// Its name below the directory, and those of the folders around it.
        let names: [String]
        let text: String
    }

    private(set) var files: [File] = []
    private(set) var problems: [PropertiesProblem] = []

    private let fileSystem: FileSystem
    private var budget: Budget
    /// Where the directory really is.
    private var root: String?
    /// Whether a limit was exceeded, and nothing more is read.
    private var isExhausted = false

    /// Reads a directory; one that is missing may be left out.
    init(_ path: String, isOptional: Bool, in fileSystem: FileSystem, budget: inout Budget) {
        self.fileSystem = fileSystem
        self.budget = budget
        let path = Self.withoutSlash(path)
        root = fileSystem.resolve(path)
        do throws(FileProblem) {
            try readFolder(Entry(path: path, place: path))
        } catch .noFolder {
            if !isOptional { report(.noDirectory(FileSystem.absolute(path)), path) }
        } catch {
            report(error, path)
        }
        budget = self.budget
    }

    /// A path without slashes at its end.
    static func withoutSlash(_ path: String) -> String {
        var path = path[...]
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    /// A file or folder.
    private struct Entry {
        /// The path that errors and explanations show.
        let path: String
        /// The path that it is read from.
        var place: String
        var names: [String] = []

        func appending(_ name: String, in place: String) -> Entry {
            Entry(path: Self.joined(path, name), place: Self.joined(place, name), names: names + [name])
        }

        static func joined(_ path: String, _ name: String) -> String {
            path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        }
    }

    /// The link to the present version of a mounted volume.
    private static let versionLink = "..data"
    /// How often a volume is read that changes meanwhile.
    private static let attempts = 8

    private mutating func readFolder(_ folder: Entry) throws(FileProblem) {
        guard folder.names.count <= Limits.directoryDepth else { throw .foldersTooDeep }
        let link = Entry.joined(folder.place, Self.versionLink)
        let start = self
        for _ in 0..<Self.attempts {
            let version = fileSystem.link(link)
            var failure: FileProblem?
            do throws(FileProblem) {
                try readEntries(of: folder, version: version)
            } catch {
                failure = error
            }
            // Of a version that was replaced, files may be gone already.
            if version == nil || fileSystem.link(link) == version {
                if let failure { throw failure }
                return
            }
            self = start
        }
        throw .changesAllTheTime
    }

    private mutating func readEntries(of folder: Entry, version: String?) throws(FileProblem) {
        if let version, fileSystem.resolve(place(of: version, in: folder)) == nil {
            do throws(FileProblem) {
                // Why it cannot be followed, reading says best.
                _ = try fileSystem.read(place(of: version, in: folder))
            } catch {
                let problem = error == .noFile ? .danglingLink(target: version) : error
                report(problem, Entry.joined(folder.path, Self.versionLink))
                return
            }
        }
        var entries: [Entry] = []
        for name in try fileSystem.list(folder.place) where !name.hasPrefix(".") {
            var entry = folder.appending(name, in: folder.place)
            if let version, let target = fileSystem.link(entry.place), target.hasPrefix(Self.versionLink + "/") {
                let rest = String(target.dropFirst(Self.versionLink.utf8.count + 1))
                // It is listed below.
                if rest == name { continue }
                entry.place = Entry.joined(place(of: version, in: folder), rest)
            }
            entries.append(entry)
        }
        if let version {
            let place = place(of: version, in: folder)
            try checkIsInside(place, target: version)
            entries += try fileSystem.list(place).filter { !$0.hasPrefix(".") }.map { folder.appending($0, in: place) }
            entries.sort { $0.path < $1.path }
        }
        for entry in entries where !isExhausted { read(entry) }
    }

    private func place(of version: String, in folder: Entry) -> String {
        version.hasPrefix("/") ? version : Entry.joined(folder.place, version)
    }

    private mutating func read(_ entry: Entry) {
        do throws(FileProblem) {
            guard budget.takeEntry() else { throw FileProblem.tooManyFiles }
            var entry = entry
            if let target = fileSystem.link(entry.place) {
                entry.place = try checkIsInside(entry.place, target: target)
            }
            do throws(FileProblem) {
                let bytes = try fileSystem.read(entry.place)
                files.append(File(path: entry.path, names: entry.names, text: try text(of: bytes)))
            } catch .folderInsteadOfFile {
                try readFolder(entry)
            }
        } catch {
            isExhausted = isExhausted || error == .tooManyFiles || error == .loadTooLarge(bytes: Limits.loadBytes)
            report(error.ofDirectoryFile, entry.path)
        }
    }

    /// Where a link leads to, which must be inside of the directory.
    @discardableResult
    private func checkIsInside(_ link: String, target: String) throws(FileProblem) -> String {
        guard let place = fileSystem.resolve(link) else {
            // Why it cannot be followed, reading says best.
            _ = try fileSystem.read(link)
            throw .danglingLink(target: target)
        }
        guard let root, place == root || place.hasPrefix(root == "/" ? root : root + "/") else {
            throw .linkLeadsOut(target: target)
        }
        return place
    }

    private mutating func text(of bytes: [UInt8]) throws(FileProblem) -> String {
        guard bytes.count <= Limits.directoryFileBytes else { throw .tooLarge(bytes: Limits.directoryFileBytes) }
        guard budget.takeFile(bytes: bytes.count) else { throw .loadTooLarge(bytes: Limits.loadBytes) }
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        if bytes.contains(0) { throw .holdsNullCharacter }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private mutating func report(_ problem: FileProblem, _ path: String) {
        problems.append(PropertiesProblem(.file(problem), file: path))
    }
}
