// Stands for Apple's module `Darwin` where `.ci/check-apple` compiles the branches that Apple's platforms take. What the
// sources use and Apple declares in another way than Glibc is here as Apple declares it; the rest comes from Glibc.
@_exported import Glibc

// MARK: Threads

public typealias pthread_key_t = UInt

public func pthread_key_create(
    _ key: UnsafeMutablePointer<pthread_key_t>!, _ end: (@convention(c) (UnsafeMutableRawPointer) -> Void)!
) -> Int32 {
    var number = Glibc.pthread_key_t()
    // Sound: the two differ in whether the type says that the pointer is not nil, and the system passes no nil.
    let end = unsafeBitCast(end, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)
    let result = Glibc.pthread_key_create(&number, end)
    key.pointee = UInt(number)
    return result
}

public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? {
    Glibc.pthread_getspecific(Glibc.pthread_key_t(key))
}

@discardableResult
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 {
    Glibc.pthread_setspecific(Glibc.pthread_key_t(key), value)
}

@_silgen_name("pthread_getattr_np")
private func stackAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32

private func stack(_ thread: pthread_t) -> (start: UnsafeMutableRawPointer, size: Int) {
    var attributes = pthread_attr_t()
    var (start, size): (UnsafeMutableRawPointer?, Int) = (nil, 0)
    guard stackAttributes(thread, &attributes) == 0 else { fatalError("The stack is not known") }
    pthread_attr_getstack(&attributes, &start, &size)
    pthread_attr_destroy(&attributes)
    guard let start else { fatalError("The stack is not known") }
    return (start, size)
}

/// The end of the stack that has the higher address.
public func pthread_get_stackaddr_np(_ thread: pthread_t) -> UnsafeMutableRawPointer {
    let stack = stack(thread)
    return stack.start + stack.size
}

public func pthread_get_stacksize_np(_ thread: pthread_t) -> Int { stack(thread).size }

// MARK: Files

public func issetugid() -> Int32 { 0 }

public typealias mode_t = UInt16

public let S_IFMT: mode_t = 0o170000
public let S_IFDIR: mode_t = 0o040000
public let S_IFREG: mode_t = 0o100000
public let S_IFIFO: mode_t = 0o010000
public let S_IFSOCK: mode_t = 0o140000

public struct stat {
    public var st_mode: mode_t = 0
    public var st_size: Int64 = 0

    public init() {}
}

public func fstat(_ file: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 {
    var own = Glibc.stat()
    let result = Glibc.fstat(file, &own)
    status.pointee.st_mode = mode_t(own.st_mode)
    status.pointee.st_size = Int64(own.st_size)
    return result
}

public struct DIR {
    fileprivate let folder: OpaquePointer
}

public func opendir(_ path: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>! {
    guard let folder = Glibc.opendir(path) else { return nil }
    let result = UnsafeMutablePointer<DIR>.allocate(capacity: 1)
    result.initialize(to: DIR(folder: folder))
    return result
}

public func readdir(_ folder: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
    Glibc.readdir(folder.pointee.folder)
}

@discardableResult
public func closedir(_ folder: UnsafeMutablePointer<DIR>!) -> Int32 {
    defer { folder.deallocate() }
    return Glibc.closedir(folder.pointee.folder)
}

// MARK: Memory, for the benchmarks, which are only compiled here

public struct malloc_statistics_t {
    public var size_in_use = 0

    public init() {}
}

public func malloc_zone_statistics(_ zone: OpaquePointer?, _ statistics: UnsafeMutablePointer<malloc_statistics_t>!) {
    statistics.pointee.size_in_use = 0
}
