/// Reads a directory with one file per setting.
///
/// A volume that Kubernetes mounts has its files in a hidden folder with a timestamp as its name, and a link `..data`
/// to that folder, which is replaced when the files change. The link is followed once, so that all files are of one
/// version. If it was replaced in the meantime, the files are read again.
struct DirectoryReading {
    /// A file and its content.
    struct File {
        /// The path to show.
        let path: String
        /// The names of the folders below the directory, and of the file.
        let names: [String]
        let text: String
    }

    private(set) var files: [File] = []
    private(set) var problems: [PropertiesProblem] = []

    private let fileSystem: FileSystem
    private var budget: Budget
    /// The directory's path without links.
    private var root: String?
    /// Whether a limit was exceeded, so that reading stops.
    private var isExhausted = false

    /// Reads a directory, which may be missing if it is optional.
    init(_ path: String, isOptional: Bool, in fileSystem: FileSystem, budget: inout Budget) {
        self.fileSystem = fileSystem
        self.budget = budget
        let path = FileSystem.withoutSlash(path)
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

    /// A file or folder.
    private struct Entry {
        /// The path that errors and explanations show.
        let path: String
        /// The path that it is read from.
        var place: String
        var names: [String] = []

        func appending(_ name: String, in place: String) -> Entry {
            Entry(
                path: FileSystem.joined(path, name), place: FileSystem.joined(place, name), names: names + [name])
        }
    }

    /// The link to the current version of a mounted volume.
    private static let versionLink = "..data"
    /// How often a volume that changes in the meantime is read.
    private static let attempts = 8

    private mutating func readFolder(_ folder: Entry) throws(FileProblem) {
        guard folder.names.count <= Limits.directoryDepth else { throw .foldersTooDeep }
        let link = FileSystem.joined(folder.place, Self.versionLink)
        // Not a copy of the whole, because each folder would copy the files of those before it.
        let start = (files: files.count, problems: problems.count, budget: budget, isExhausted: isExhausted)
        for _ in 0..<Self.attempts {
            let version = fileSystem.link(link)
            var failure: FileProblem?
            do throws(FileProblem) {
                try readEntries(of: folder, version: version)
            } catch {
                failure = error
            }
            // If the version was replaced, some files may already be gone.
            if version == nil || fileSystem.link(link) == version {
                if let failure { throw failure }
                return
            }
            files.removeSubrange(start.files...)
            problems.removeSubrange(start.problems...)
            (budget, isExhausted) = (start.budget, start.isExhausted)
        }
        throw .changesAllTheTime
    }

    private mutating func readEntries(of folder: Entry, version: String?) throws(FileProblem) {
        if let version, fileSystem.resolve(place(of: version, in: folder)) == nil {
            do throws(FileProblem) {
                // Reading explains best why the link cannot be followed.
                _ = try fileSystem.read(place(of: version, in: folder))
            } catch {
                let problem = error == .noFile ? .danglingLink(target: version) : error
                report(problem, FileSystem.joined(folder.path, Self.versionLink))
                return
            }
        }
        var entries: [Entry] = []
        for name in try fileSystem.list(folder.place) where !name.hasPrefix(".") {
            var entry = folder.appending(name, in: folder.place)
            if let version, let target = fileSystem.link(entry.place), target.hasPrefix(Self.versionLink + "/") {
                let rest = String(target.dropFirst(Self.versionLink.utf8.count + 1))
                // The list of the version's folder below contains it.
                if rest == name { continue }
                entry.place = FileSystem.joined(place(of: version, in: folder), rest)
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
        version.hasPrefix("/") ? version : FileSystem.joined(folder.place, version)
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
        } catch .noFile where entry.names.last?.unicodeScalars.contains("\u{FFFD}") == true {
            // The invalid bytes of the name were replaced, so the system does not find the file by it.
            report(.nameIsNotUTF8, entry.path)
        } catch {
            isExhausted = isExhausted || error == .tooManyFiles || error == .loadTooLarge(bytes: Limits.loadBytes)
            report(error.ofDirectoryFile, entry.path)
        }
    }

    /// Returns the target of a link, which must be inside the directory.
    @discardableResult
    private func checkIsInside(_ link: String, target: String) throws(FileProblem) -> String {
        guard let place = fileSystem.resolve(link) else {
            // Reading explains best why the link cannot be followed.
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
        // As in a profile file, a byte order mark is not part of the text. Some editors write one.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        if bytes.contains(0) { throw .holdsNullCharacter }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private mutating func report(_ problem: FileProblem, _ path: String) {
        problems.append(.file(problem), file: path)
    }
}
