#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Compares and reads strings by their code points, as JSON does, not by canonical equivalence.
enum JSONText {
    /// Calls a closure with the UTF-8 bytes of a string, without a copy except for strings that a platform bridges
    /// lazily.
    @inline(__always)
    static func withBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        var copy = text
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Whether a text begins like a JSON object or array.
    static func beginsContainer(_ text: String) -> Bool {
        let first = text.utf8.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    static var exampleOfArray: String { #"["a", "b"]"# }
    static var exampleOfObject: String { #"{"key": "value"}"# }

    /// Whether two strings have the same code points ("é" and "e\u{301}" do not).
    @inline(never)
    static func areIdentical(_ first: String, _ second: String) -> Bool {
        withBytes(of: second) { isIdentical(first, to: $0) }
    }

    /// Whether a string has these UTF-8 bytes.
    @inline(__always)
    static func isIdentical(_ text: String, to bytes: UnsafeRawBufferPointer) -> Bool {
        withBytes(of: text) { text in
            guard text.count == bytes.count else { return false }
            guard let left = text.baseAddress, let right = bytes.baseAddress else { return true }
            return areIdentical(left, right, count: text.count)
        }
    }

    /// Whether a number of bytes are the same at two addresses.
    @inline(__always)
    static func areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, count: Int) -> Bool {
        memcmp(first, second, count) == 0
    }
}
