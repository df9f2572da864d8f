#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The rights of the process compared with those of the user who started it.
package enum ProcessRights {
    /// Whether the program has different rights from the user who started it.
    ///
    /// If so, environment variables, which that user sets, must not lead the program to other files.
    package static var areRaised: Bool {
        #if canImport(Darwin)
            issetugid() != 0
        #else
            getuid() != geteuid() || getgid() != getegid() || isSecureExecution
        #endif
    }

    #if !canImport(Darwin)
        /// Whether the system reports raised rights (`AT_SECURE`).
        ///
        /// This includes rights from the program's file, and remains true after the program has dropped its rights.
        private static var isSecureExecution: Bool {
            // Swift does not import `getauxval`. This file is the same table. If rights were raised, it belongs to
            // root, so a denied access means that they were.
            let file = open("/proc/self/auxv", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return errno == EACCES || errno == EPERM }
            defer { close(file) }
            var entries = [UInt](repeating: 0, count: 256)
            let size = read(file, &entries, entries.count * MemoryLayout<UInt>.stride)
            let secure: UInt = 23
            for index in stride(from: 0, to: max(0, size) / MemoryLayout<UInt>.stride - 1, by: 2)
            where entries[index] == secure {
                return entries[index + 1] != 0
            }
            return false
        }
    #endif
}
