/// A record of the files, folders, and links that loads have read, with hashes of their content.
///
/// ```swift
/// var record = FileRecord()
/// let properties = try source.load(recording: &record)
/// record.isCurrent(in: source.fileSystem)     // false as soon as a load would read something else
/// ```
package struct FileRecord: Sendable {
    fileprivate enum Question: Hashable {
        case file(String)
        case folder(String)
        case link(String)
        case place(String)
    }

    fileprivate var answers = SmallTable<Question, Int>()

    /// Creates an empty record.
    package init() {}

    /// Whether everything that was read is unchanged, including failed reads.
    ///
    /// All files are read again and compared by their hashes.
    package func isCurrent(in fileSystem: FileSystem) -> Bool {
        let recorder = FileRecorder()
        let fileSystem = fileSystem.recording(by: recorder)
        return answers.entries.allSatisfy { question, answer in
            switch question {
            case .file(let path): _ = try? fileSystem.read(path)
            case .folder(let path): _ = try? fileSystem.list(path)
            case .link(let path): _ = fileSystem.link(path)
            case .place(let path): _ = fileSystem.resolve(path)
            }
            return recorder.record.answers[question] == answer
        }
    }
}

/// Records the hashes of what is read, or of the errors.
///
/// Unchecked `Sendable` is safe, because a load reads on one thread and the record is used after the load has ended.
private final class FileRecorder: @unchecked Sendable {
    var record = FileRecord()

    func noting<Answer: Hashable, Failure: Error & Hashable>(
        _ question: FileRecord.Question, _ read: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        do throws(Failure) {
            let answer = try read()
            record.answers.set(answer.hashValue, for: question)
            return answer
        } catch {
            record.answers.set(error.hashValue, for: question)
            throw error
        }
    }
}

extension FileSystem {
    /// Runs a closure with a file system that adds everything it reads to a record.
    package func recording<Result, Failure: Error>(
        in record: inout FileRecord, _ body: (FileSystem) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let recorder = FileRecorder()
        defer {
            for (question, answer) in recorder.record.answers.entries { record.answers.set(answer, for: question) }
        }
        return try body(recording(by: recorder))
    }

    fileprivate func recording(by recorder: FileRecorder) -> FileSystem {
        var system = self
        system.read = { path throws(FileProblem) in
            try recorder.noting(.file(path)) { () throws(FileProblem) in try read(path) }
        }
        system.list = { path throws(FileProblem) in
            try recorder.noting(.folder(path)) { () throws(FileProblem) in try list(path) }
        }
        system.link = { path in recorder.noting(.link(path)) { link(path) } }
        system.resolve = { path in recorder.noting(.place(path)) { resolve(path) } }
        return system
    }
}

/// The records of several loads, each with its file system, to find out later whether anything has changed.
package struct FileReads: Sendable {
    private var loads: [(record: FileRecord, fileSystem: FileSystem)] = []

    package init() {}

    /// Adds the records of another value.
    package mutating func add(_ other: FileReads) { loads += other.loads }

    /// Adds the record of one load.
    mutating func add(_ record: FileRecord, of fileSystem: FileSystem) {
        loads.append((record, fileSystem))
    }

    /// Whether everything that was read is unchanged.
    ///
    /// Reads all of it again.
    package var isUnchanged: Bool { loads.allSatisfy { $0.record.isCurrent(in: $0.fileSystem) } }
}
