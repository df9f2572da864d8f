import Locator
import TestSupport
import Testing

/// The memory of a `start()` grows with the length of a chain of asynchronous factory closures, not with its square.
///
/// The test runs in a separate process, so that the size of the process shows nothing else.
@Suite struct LongAsyncChainTests {
    @Test func start_ofALongChain_takesLittleMemory() async {
        await #expect(processExitsWith: .success) { try await LongAsyncChain.start() }
    }
}

private enum LongAsyncChain {
    private final class Link: Sendable {}

    static func start() async throws {
        let length = 2000
        let chain = Module("Chain") { registry in
            registry.register(qualifier: "0", async: { () async in Link() })
            for number in 1..<length {
                registry.register(
                    qualifier: .named("\(number)"), parameterQualifiers: [.named("\(number - 1)")],
                    async: { (_: Link) async in Link() })
            }
        }
        let context = try AppContext().load(chain)
        let before = ProcessSize.peak
        try await context.start()
        #expect(context.existing(Link.self, qualifier: .named("\(length - 1)")) != nil)
        guard let before, let after = ProcessSize.peak, !isThreadSanitized else { return }
        // The paths of all closures in a chain of this length would take 150 MB.
        #expect(after - before < 60 << 20, "it took \((after - before) >> 10) KiB")
    }
}
