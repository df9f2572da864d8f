import Foundation

/// Runs `body` on a new thread with a stack of `size` bytes, and returns its result.
///
/// Secondary threads of Apple platforms have 512 KB.
package func onThread<Result: Sendable>(
    stack size: Int = stackOfSecondaryThreads, _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
    let result = Late<Swift.Result<Result, any Error>>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        result.value = Swift.Result { try body() }
        done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    guard let result = result.value else { preconditionFailure("The thread has returned nothing") }
    return try result.get()
}

/// 512 KB, or more with a sanitizer, whose frames are larger.
package let stackOfSecondaryThreads: Int = {
    let sanitizers = ["__tsan_init", "__asan_init"]
    return sanitizers.contains { dlsym(nil, $0) != nil } ? 4 << 20 : 512 << 10
}()
