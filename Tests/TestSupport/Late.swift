import Foundation

/// A value that is set later, from any thread.
package final class Late<Value>: @unchecked Sendable {
    // Sendable: `content` is guarded by `lock`, and tests only put values into it that may be shared.
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
