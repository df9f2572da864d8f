#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// How files and folders are read; another one in tests of what cannot be brought about on purpose.
package struct FileSystem: Sendable {
    /// The bytes of a file.
    package var read: @Sendable (_ path: String) throws(FileProblem) -> [UInt8]
    /// The names of what is in a folder.
    package var list: @Sendable (_ path: String) throws(FileProblem) -> [String]

    package init(
        read: @escaping @Sendable (_ path: String) throws(FileProblem) -> [UInt8],
        list: @escaping @Sendable (_ path: String) throws(FileProblem) -> [String]
    ) {
        self.read = read
        self.list = list
    }

    /// The files and folders of the system.
    package static let system = FileSystem(read: readFile, list: listFolder)
}

private func readFile(_ path: String) throws(FileProblem) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .noFile : .unreadable(reason(errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .folderInsteadOfFile }

    guard status.st_size <= Limits.fileBytes else { throw .tooLarge(bytes: Limits.fileBytes) }

    // The size is a hint: a file may grow meanwhile.
    let chunk = max(Int(status.st_size) + 1, 4096)
    var bytes: [UInt8] = []
    while true {
        var failure: Int32?
        let filled = bytes.count
        let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
            repeat {
                count = max(0, posixRead(file, buffer.baseAddress, chunk, &failure))
            } while failure == EINTR
        }
        if let failure { throw .unreadable(reason(failure)) }
        if part.isEmpty { return bytes }
        if filled == 0 { bytes = part } else { bytes += part }
        guard bytes.count <= Limits.fileBytes else { throw .tooLarge(bytes: Limits.fileBytes) }
    }
}

/// Reads what is there, at most a number of bytes; 0 at the end and after a failure.
private func posixRead(
    _ file: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int, _ failure: inout Int32?
) -> Int {
    let result = read(file, buffer, count)
    failure = result < 0 ? errno : nil
    return result
}

private func listFolder(_ path: String) throws(FileProblem) -> [String] {
    guard let folder = opendir(path) else {
        switch errno {
        case ENOENT: throw .noFolder
        case ENOTDIR: throw .noFolderButAFile
        default: throw .unreadable(reason(errno))
        }
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                String(cString: $0)
            }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// The system's words for an error number.
private func reason(_ number: Int32) -> String {
    String(cString: strerror(number))
}
