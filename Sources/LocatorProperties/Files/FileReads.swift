/// What loads have read: each file and folder with its content, to find out later whether it is still the same.
///
/// A link is followed each time, so a link that leads elsewhere is a change where the content differs.
package struct FileReads: Sendable {
    /// What was found at a path.
    fileprivate enum Content: Sendable, Hashable {
        case bytes([UInt8])
        case names([String])
        case problem(FileProblem)
    }

    fileprivate enum Kind: Sendable {
        case file, stream, folder
    }

    fileprivate struct Entry: Sendable {
        let kind: Kind
        let path: String
        let content: Content
        let fileSystem: FileSystem

        /// Whether the same is there now.
        var isUnchanged: Bool {
            do throws(FileProblem) {
                switch kind {
                case .file: return try .bytes(fileSystem.read(path)) == content
                case .stream: return try .bytes(fileSystem.readStream(path)) == content
                case .folder: return try .names(fileSystem.list(path)) == content
                }
            } catch {
                return .problem(error) == content
            }
        }
    }

    private var entries: [Entry] = []

    package init() {}

    fileprivate init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Adds what another load has read.
    package mutating func add(_ other: FileReads) { entries += other.entries }

    /// Whether everything is as it was; reads all of it again.
    package var isUnchanged: Bool { entries.allSatisfy(\.isUnchanged) }
}

/// Notes what one load reads.
final class ReadRecorder: @unchecked Sendable {
    // Sendable: a load reads one file after the other, on the thread that loads, and lets go of the functions at its end.

    private var entries: [FileReads.Entry] = []
    private let fileSystem: FileSystem

    init(_ fileSystem: FileSystem) {
        self.fileSystem = fileSystem
    }

    /// What was read until now.
    var reads: FileReads { FileReads(entries) }

    /// The file system with functions that note what they read.
    var recording: FileSystem {
        var recording = fileSystem
        recording.read = { [self] path throws(FileProblem) in
            try noting(.file, path, FileReads.Content.bytes) { () throws(FileProblem) in try fileSystem.read(path) }
        }
        recording.readStream = { [self] path throws(FileProblem) in
            try noting(.stream, path, FileReads.Content.bytes) { () throws(FileProblem) in
                try fileSystem.readStream(path)
            }
        }
        recording.list = { [self] path throws(FileProblem) in
            try noting(.folder, path, FileReads.Content.names) { () throws(FileProblem) in try fileSystem.list(path) }
        }
        return recording
    }

    private func noting<Result>(
        _ kind: FileReads.Kind, _ path: String, _ content: (Result) -> FileReads.Content,
        _ read: () throws(FileProblem) -> Result
    ) throws(FileProblem) -> Result {
        do throws(FileProblem) {
            let result = try read()
            entries.append(.init(kind: kind, path: path, content: content(result), fileSystem: fileSystem))
            return result
        } catch {
            entries.append(.init(kind: kind, path: path, content: .problem(error), fileSystem: fileSystem))
            throw error
        }
    }
}
