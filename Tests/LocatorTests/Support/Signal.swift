/// Something to wait for without a lock or a clock; any number may wait.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}
