// If the C functions have their own module, import only that, so that the library with Swift's types for them is not
// loaded just for three calls.
#if canImport(CDispatch)
    internal import CDispatch
#else
    internal import Dispatch
#endif

/// A check whether the running code is on the main actor.
///
/// The main actor's executor is the main dispatch queue. A queue-specific value identifies it without Foundation.
enum MainActorCheck {
    #if canImport(CDispatch)
        // Unsafe: the pointer is only compared, and its memory is never freed.
        nonisolated(unsafe) private static let key: UnsafeMutableRawPointer = {
            let key = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
            dispatch_queue_set_specific(dispatch_get_main_queue(), key, key, nil)
            return key
        }()

        static var isOnMainActor: Bool { dispatch_get_specific(key) != nil }
    #else
        private static let key: DispatchSpecificKey<Bool> = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()

        static var isOnMainActor: Bool { DispatchQueue.getSpecific(key: key) == true }
    #endif
}
