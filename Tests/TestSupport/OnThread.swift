import Foundation

/// Runs `body` on a new thread with a stack of `size` bytes, and returns its result.
///
/// Secondary threads of Apple platforms have 512 KB. The stack is not one of the system: Glibc takes the stack of a
/// thread that has ended, also if it is up to four times as large.
package func onThread<Result: Sendable>(
    stack size: Int = stackOfSecondaryThreads, _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
    let result = Late<Swift.Result<Result, any Error>>()
    let work = Work { result.value = Swift.Result { try body() } }
    let guardSize = 1 << 16
    let memory = mmap(nil, guardSize + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { preconditionFailure("No memory for a stack of \(size) bytes") }
    defer { munmap(memory, guardSize + size) }
    // A stack that is used up ends in a crash.
    mprotect(memory, guardSize, PROT_NONE)

    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
        pthread_attr_destroy(attributes)
        attributes.deallocate()
    }
    precondition(pthread_attr_setstack(attributes, memory + guardSize, size) == 0)
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let started = pthread_create(&thread, attributes, { run($0) }, Unmanaged.passRetained(work).toOpaque())
    precondition(started == 0, "The thread does not start")
    #if canImport(Darwin)
        if let thread { pthread_join(thread, nil) }
    #else
        pthread_join(thread, nil)
    #endif
    guard let result = result.value else { preconditionFailure("The thread has returned nothing") }
    return try result.get()
}

/// What a new thread runs.
private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

// Unsafe: the pointer is a retained `Work`, and each new thread takes its own.
private func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    work.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
    return nil
}

/// 512 KB, or more with a sanitizer, whose frames are larger.
package let stackOfSecondaryThreads: Int = {
    let sanitizers = ["__tsan_init", "__asan_init"]
    return sanitizers.contains { dlsym(nil, $0) != nil } ? 4 << 20 : 512 << 10
}()
