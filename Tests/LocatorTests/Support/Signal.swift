/// A signal without a lock or a clock, for any number of waiting tasks.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send() {
        continuation.finish()
    }

    /// A new signal that is never sent, so that only the end of the waiting task ends the wait.
    static var neverSent: Signal { Signal() }

    /// Returns once the signal is sent, or the waiting task is canceled.
    func wait() async {
        for await _ in stream {}
    }
}
