#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// The end of a thread's stack, and the room that is kept free above it.
///
/// Nested factory closures run on one stack. Each making checks how much room is left, so that a chain that is too long
/// ends with an error instead of a crash.
struct StackLimit {
    private let lowest: UInt
    private let size: UInt
    private let reserve: UInt

    /// Reads the stack of the running thread.
    init() {
        let stack = Self.ofRunningThread ?? Self.assumed
        (lowest, size) = stack
        // The free room is for what runs at the last level: the closure of the application, which may decode, format,
        // or open a file, and the path from there to the next level. Frameworks expect to run on 512 KB, so 128 KB are
        // enough for them. A smaller stack is for closures that need less.
        reserve = min(stack.size / 4, 256 << 10)
    }

    /// Whether the running function has reached the room that is kept free.
    ///
    /// On a stack that the program has set up itself, the result is meaningless.
    @inline(__always) var isReached: Bool {
        let room = Self.position &- lowest
        return room < reserve || room >= size && isReachedByAllocation
    }

    /// The same check for programs that keep the variables of a function elsewhere, such as with the address sanitizer.
    ///
    /// Memory whose size is known only at run time is still on the stack there.
    private var isReachedByAllocation: Bool {
        @inline(never) get {
            // The end of a stack is aligned, so this is 16.
            withUnsafeTemporaryAllocation(byteCount: 16 + Int(lowest & 1), alignment: 1) {
                UInt(bitPattern: $0.baseAddress) &- lowest < reserve
            }
        }
    }

    /// The address of a variable of the running function.
    // Unsafe: the address is only compared, and never used as a pointer.
    @inline(__always) private static var position: UInt {
        var mark: UInt8 = 0
        return withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    }

    /// The size of the smallest usual stack, if the system does not provide the size.
    private static var assumed: (lowest: UInt, size: UInt) {
        let size: UInt = 512 << 10
        return (position - size, size)
    }

    #if canImport(Darwin)
        private static var ofRunningThread: (lowest: UInt, size: UInt)? {
            let thread = pthread_self()
            let size = UInt(pthread_get_stacksize_np(thread))
            return (UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size)
        }
    #else
        private static var ofRunningThread: (lowest: UInt, size: UInt)? {
            if let main = ofMainThread { return main }
            var attributes = pthread_attr_t()
            guard attributesOfThread(pthread_self(), &attributes) == 0 else { return nil }
            defer { pthread_attr_destroy(&attributes) }
            var start: UnsafeMutableRawPointer?
            var size = 0
            guard pthread_attr_getstack(&attributes, &start, &size) == 0, let start, size > 0 else { return nil }
            return (UInt(bitPattern: start), UInt(size))
        }

        /// The stack of the main thread; nil on another thread.
        ///
        /// The stack begins at the name of the program, and grows as far as the system's limit, of which 64 MB are
        /// always free. Glibc reads the list of all memory of the process instead, which takes longer than anything else
        /// in a start. Musl only reports the current size.
        private static var ofMainThread: (lowest: UInt, size: UInt)? {
            let name = auxiliaryValue(31)  // AT_EXECFN
            var limit = rlimit()
            guard name > 0, getrlimit(stackLimit, &limit) == 0 else { return nil }
            let size = UInt(min(limit.rlim_cur, 64 << 20))
            let lowest = name - size
            return position &- lowest < size ? (lowest, size) : nil
        }
    #endif
}

// Unsafe: these are functions of the C library that its module does not export. They take and return at most one word
// each, which Swift passes as C does.
#if !canImport(Darwin)
    @_silgen_name("pthread_getattr_np")
    private func attributesOfThread(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32

    @_silgen_name("getauxval")
    private func auxiliaryValue(_ kind: UInt) -> UInt
#endif

#if canImport(Glibc)
    private let stackLimit = __rlimit_resource_t(RLIMIT_STACK.rawValue)
#elseif !canImport(Darwin)
    private let stackLimit = RLIMIT_STACK
#endif
