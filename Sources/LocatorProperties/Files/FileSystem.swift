#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The functions that read files and folders.
///
/// Tests replace them to simulate rare failures.
package struct FileSystem: Sendable {
    /// Reads a file of settings, which must be a regular file and not too large.
    package var read: @Sendable (_ path: String) throws(FileProblem) -> [UInt8]
    /// Reads any other file, including a pipe.
    package var readStream: @Sendable (_ path: String) throws(FileProblem) -> [UInt8]
    /// Returns the names of a folder's entries.
    package var list: @Sendable (_ path: String) throws(FileProblem) -> [String]
    /// Returns the target of a link, as written, or nil if the path is not a link.
    package var link: @Sendable (_ path: String) -> String?
    /// Returns the path of an existing item without links, or nil if the item does not exist.
    package var resolve: @Sendable (_ path: String) -> String?

    package init(
        read: @escaping @Sendable (_ path: String) throws(FileProblem) -> [UInt8],
        list: @escaping @Sendable (_ path: String) throws(FileProblem) -> [String]
    ) {
        self.read = read
        readStream = read
        self.list = list
        link = { _ in nil }
        resolve = { $0 }
    }

    /// The file system of the operating system.
    package static let system = {
        var system = FileSystem(
            read: { path throws(FileProblem) in try readFile(path, isSettings: true) }, list: listFolder)
        system.readStream = { path throws(FileProblem) in try readFile(path, isSettings: false) }
        system.link = target(ofLink:)
        system.resolve = realPath
        return system
    }()
}

extension FileSystem {
    /// Returns the absolute path of a file or folder.
    ///
    /// A relative path starts at the working directory.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let buffer = getcwd(nil, 0) else { return path }
        defer { free(buffer) }
        let folder = String(cString: buffer)
        return path.isEmpty ? folder : joined(folder, path)
    }

    /// Returns the path of an entry of a folder.
    package static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Returns the part of a path up to its last slash, and the name behind it.
    package static func split(_ path: String) -> (folder: String, name: String) {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        return (String(path[..<start]), String(path[start...]))
    }

    static func withoutSlash(_ path: String) -> String {
        var path = path[...]
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}

private func readFile(_ path: String, isSettings: Bool) throws(FileProblem) -> [UInt8] {
    // The system's functions would treat a null character as the end of the path.
    if path.utf8.contains(0) { throw .nullCharacter }
    // Without waiting, because the other end of a pipe may never be opened.
    let file = open(path, O_RDONLY | O_CLOEXEC | (isSettings ? O_NONBLOCK | O_NOCTTY : 0))
    guard file >= 0 else { throw problem(ofOpening: path, errno, orElse: .noFile) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .folderInsteadOfFile }
    if isSettings {
        if let kind = kind(ofMode: status.st_mode) { throw .noRegularFile(found: kind) }
        guard status.st_size <= Limits.fileBytes else { throw .tooLarge(bytes: Limits.fileBytes) }
    }

    // The size is a hint: a pipe has none, and a file may grow in the meantime.
    let chunk = max(Int(status.st_size) + 1, 4096)
    var bytes: [UInt8] = []
    while true {
        var failure: Int32?
        let filled = bytes.count
        let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
            repeat {
                let result = read(file, buffer.baseAddress, chunk)
                failure = result < 0 ? errno : nil
                count = max(0, result)
            } while failure == EINTR
        }
        if let failure { throw .unreadable(reason(failure)) }
        if part.isEmpty { return bytes }
        if filled == 0 { bytes = part } else { bytes += part }
        guard !isSettings || bytes.count <= Limits.fileBytes else { throw .tooLarge(bytes: Limits.fileBytes) }
    }
}

/// Returns the kind of a file that is not a regular file, or nil for a regular file.
private func kind(ofMode mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
}

/// Returns the reason why a file or folder could not be opened.
private func problem(ofOpening path: String, _ number: Int32, orElse missing: FileProblem) -> FileProblem {
    switch number {
    case ENOENT, ENOTDIR:
        return target(ofLink: path).map { .danglingLink(target: $0) } ?? missing
    case ENXIO: return .noRegularFile(found: "a socket")
    default: return .unreadable(reason(number))
    }
}

private func target(ofLink path: String) -> String? {
    if path.utf8.contains(0) { return nil }
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
}

private func realPath(_ path: String) -> String? {
    if path.utf8.contains(0) { return nil }
    guard let buffer = realpath(path, nil) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
}

private func listFolder(_ path: String) throws(FileProblem) -> [String] {
    if path.utf8.contains(0) { throw .nullCharacter }
    guard let folder = opendir(path) else {
        throw errno == ENOTDIR ? .noFolderButAFile : problem(ofOpening: path, errno, orElse: .noFolder)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                String(cString: $0)
            }
        }
        if name == "." || name == ".." { continue }
        guard names.count < Limits.folderEntries else { throw .folderTooLarge }
        names.append(name)
    }
    return names.sorted()
}

/// Returns the system's message for an error number.
private func reason(_ number: Int32) -> String {
    String(cString: strerror(number))
}
