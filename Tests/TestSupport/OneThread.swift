import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test under the thread sanitizer, which has nothing to find in it, because the test uses one thread at a
    /// time.
    ///
    /// It is for tests that take many seconds there. The same tests run without it.
    package static var oneThread: Self {
        .disabled(if: isThreadSanitized, "The thread sanitizer has nothing to find in one thread")
    }
}

/// Whether the thread sanitizer is on, whose own memory grows.
package let isThreadSanitized = dlsym(nil, "__tsan_init") != nil
