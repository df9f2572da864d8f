#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// What the process may do that the one who started it may not.
package enum ProcessRights {
    /// Whether the program runs with other rights than those of the user who started it: then its variables, which that one
    /// sets, must not lead it to other files.
    package static var areRaised: Bool {
        #if canImport(Darwin)
            issetugid() != 0
        #else
            getuid() != geteuid() || getgid() != getegid() || isSecureExecution
        #endif
    }

    #if !canImport(Darwin)
        /// Whether the system says so (`AT_SECURE`): for rights of a file, too, and after the program has given them
        /// back.
        private static var isSecureExecution: Bool {
            // Swift does not import `getauxval`; this is the same table. It belongs to root where rights were raised,
            // so that not being let in is an answer.
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
