/// What loads have read, each from its file system, to find out later whether anything has changed.
///
/// ```swift
/// var reads = FileReads()
/// let properties = try source.load(noting: &reads)
/// reads.isUnchanged     // false as soon as a load would read something else
/// ```
package struct FileReads: Sendable {
    private var loads: [(recorder: FileRecorder, fileSystem: FileSystem)] = []

    package init() {}

    /// Adds what other loads have read.
    package mutating func add(_ other: FileReads) { loads += other.loads }

    /// Returns a file system for one load, which records everything that the load reads.
    mutating func recording(_ fileSystem: FileSystem) -> FileSystem {
        let recorder = FileRecorder()
        loads.append((recorder, fileSystem))
        return recorder.recording(fileSystem)
    }

    /// Whether everything that was read is unchanged, including failed reads.
    ///
    /// All of it is read again and compared by its hashes.
    package var isUnchanged: Bool { loads.allSatisfy { $0.recorder.isCurrent(in: $0.fileSystem) } }
}

/// Records the hashes of the files, folders, and links that a load reads, or of the errors.
///
/// Unchecked `Sendable` is safe, because a load reads on one thread and the record is used after the load has ended.
private final class FileRecorder: @unchecked Sendable {
    private enum Question: Hashable {
        case file(String)
        case folder(String)
        case link(String)
        case place(String)
    }

    private var answers = SmallTable<Question, Int>()

    /// Returns a file system that adds everything it reads to the record.
    func recording(_ fileSystem: FileSystem) -> FileSystem {
        var system = fileSystem
        system.read = { path throws(FileProblem) in
            try self.noting(.file(path)) { () throws(FileProblem) in try fileSystem.read(path) }
        }
        system.list = { path throws(FileProblem) in
            try self.noting(.folder(path)) { () throws(FileProblem) in try fileSystem.list(path) }
        }
        system.link = { path in self.noting(.link(path)) { fileSystem.link(path) } }
        system.resolve = { path in self.noting(.place(path)) { fileSystem.resolve(path) } }
        return system
    }

    private func noting<Answer: Hashable, Failure: Error & Hashable>(
        _ question: Question, _ read: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        do throws(Failure) {
            let answer = try read()
            answers.set(answer.hashValue, for: question)
            return answer
        } catch {
            answers.set(error.hashValue, for: question)
            throw error
        }
    }

    /// Whether a file system still has the same answers.
    func isCurrent(in fileSystem: FileSystem) -> Bool {
        let recorder = FileRecorder()
        let fileSystem = recorder.recording(fileSystem)
        return answers.entries.allSatisfy { question, answer in
            switch question {
            case .file(let path): _ = try? fileSystem.read(path)
            case .folder(let path): _ = try? fileSystem.list(path)
            case .link(let path): _ = fileSystem.link(path)
            case .place(let path): _ = fileSystem.resolve(path)
            }
            return recorder.answers[question] == answer
        }
    }
}
