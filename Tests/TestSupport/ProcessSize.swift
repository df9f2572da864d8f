import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The memory of the test's process.
package enum ProcessSize {
    /// The resident size in bytes, without the pages of the program and other files, if the system reports it.
    package static var resident: Int? {
        #if os(Linux)
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
            let pages = text.split(separator: " ").compactMap { Int($0) }
            guard pages.count > 2 else { return nil }
            return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
            return nil
        #endif
    }

    /// The largest resident size so far in bytes, if the system reports it.
    package static var peak: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
