#if canImport(Darwin)
    import Darwin
#else
    import Foundation
#endif

/// What the program has of the system's memory.
enum Heap {
    /// The bytes in use, with what the allocator needs around each block; only differences of many make sense.
    static var bytesInUse: Int {
        #if canImport(Darwin)
            var statistics = malloc_statistics_t()
            malloc_zone_statistics(nil, &statistics)
            return Int(statistics.size_in_use)
        #else
            // The second number is the resident pages. Other C libraries count blocks, each in its own way.
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let fields = text.split(separator: " ")
            return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
        #endif
    }
}
