import Foundation

/// Runs `body` on a thread of its own with a stack of `size` bytes, and gives what it gives.
func onThread<Result: Sendable>(stack size: Int, _ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let result = Late<Swift.Result<Result, any Error>>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        result.value = Swift.Result { try body() }
        done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    guard let result = result.value else { preconditionFailure("The thread has given nothing") }
    return try result.get()
}
