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
