import Foundation

/// A place for a value that comes later, safe from any thread.
package final class Late<Value>: @unchecked Sendable {
    // Sendable: `content` is guarded by `lock`; tests put only what they may share into it.
    private let lock = NSLock()
    private var content: Value?

    package init(_ value: Value? = nil) {
        content = value
    }

    package var value: Value? {
        get { lock.withLock { content } }
        set { lock.withLock { content = newValue } }
    }
}
