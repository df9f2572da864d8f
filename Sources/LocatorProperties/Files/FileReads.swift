/// What several loads have read, each from its file system, to find out later whether it is still the same.
package struct FileReads: Sendable {
    private var loads: [(record: FileRecord, fileSystem: FileSystem)] = []

    package init() {}

    /// Adds what another load has read.
    package mutating func add(_ other: FileReads) { loads += other.loads }

    /// Adds what one load has read.
    mutating func add(_ record: FileRecord, of fileSystem: FileSystem) {
        loads.append((record, fileSystem))
    }

    /// Whether everything is as it was; reads all of it again.
    package var isUnchanged: Bool { loads.allSatisfy { $0.record.isCurrent(in: $0.fileSystem) } }
}
