/// Parses JSON (RFC 8259) from bytes, in a single pass and without recursion.
///
/// Lines are counted while skipping white space, because line breaks are allowed nowhere else. `lineStart` is the
/// offset of the line's first byte, plus one for each continuation byte on the line, so that `offset - lineStart`
/// counts Unicode scalars.
struct JSONReader: ~Copyable {
    struct Frame {
        let isObject: Bool
        let start: Int
        let line: UInt32
        let column: UInt32
        var height: UInt32 = 0
    }

    let bytes: UnsafePointer<UInt8>
    let count: Int
    let flags: JSONNodeFlags
    /// The number of values that may still follow.
    var remaining: Int
    var offset = 0
    var line: UInt32 = 1
    var lineStart = 0
    var frames: [Frame] = []
    var entries = JSONScratch<JSONObjectStorage.Entry>(capacity: 64)
    var elements = JSONScratch<JSONValue>(capacity: 32)
    /// The duplicate keys, each an error of the text.
    var duplicates: [JSONFailure] = []
    /// The bytes of a string with escapes, while it is being read.
    var unescaped: [UInt8] = []
    /// Whether any string so far has characters beyond ASCII.
    var hasWideText = false

    /// The bytes must stay in place until the reader is done.
    init(_ bytes: UnsafePointer<UInt8>, count: Int, flags: JSONNodeFlags, limit: Int) {
        self.bytes = bytes
        self.count = count
        self.flags = flags
        remaining = limit
    }

    var column: UInt32 {
        @inline(__always) get { UInt32(clamping: offset - lineStart + 1) }
    }

    /// Reads the value of the text.
    mutating func read() throws(JSONFailure) -> JSONValue {
        try checkEncoding()
        skipSpace()
        guard offset < count else { throw failure(.empty) }
        var value = JSONValue(storage: .null)
        // Each iteration reads one value and closes the containers that end after it.
        while true {
            var isComplete = try readValue(into: &value)
            while isComplete {
                guard let frame = frames.last else {
                    skipSpace()
                    guard offset == count else { throw unexpected(.end) }
                    return value
                }
                isComplete = try attach(value, to: frame, closedInto: &value)
            }
        }
    }

    /// Reads a scalar, an empty container, or the beginning of a container.
    ///
    /// Returns false for the latter.
    private mutating func readValue(into value: inout JSONValue) throws(JSONFailure) -> Bool {
        guard offset < count else { throw valueFailure() }
        guard remaining > 0 else { throw failure(.tooManyValues(limit: Limits.values)) }
        remaining -= 1
        let line = line
        let column = column
        let storage: JSONValue.Storage
        switch bytes[offset] {
        case UInt8(ascii: "\""): storage = .string(try readString().text)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): storage = try readNumber()
        case UInt8(ascii: "t") where accept("true"): storage = .boolean(true)
        case UInt8(ascii: "f") where accept("false"): storage = .boolean(false)
        case UInt8(ascii: "n") where accept("null"): storage = .null
        case UInt8(ascii: "{"):
            try open(isObject: true, line: line, column: column)
            guard offset < count, bytes[offset] == UInt8(ascii: "}") else {
                try readKey(isFirst: true)
                return false
            }
            value = try close()
            return true
        case UInt8(ascii: "["):
            try open(isObject: false, line: line, column: column)
            guard offset < count, bytes[offset] == UInt8(ascii: "]") else { return false }
            value = try close()
            return true
        default:
            throw valueFailure()
        }
        value = JSONValue(storage: storage, line: line, column: column, flags: flags)
        return true
    }

    /// Adds a value to the innermost container.
    ///
    /// Returns true if that closes the container, which is then in `closed`.
    @inline(__always)
    private mutating func attach(
        _ value: JSONValue, to frame: Frame, closedInto closed: inout JSONValue
    ) throws(JSONFailure) -> Bool {
        let height = value.height
        if height > frame.height { frames[frames.count - 1].height = height }
        if frame.isObject {
            entries[entries.count - 1].value = value
        } else {
            elements.append(value)
        }
        skipSpace()
        guard offset < count else { throw unexpected(.separator(inObject: frame.isObject)) }
        switch bytes[offset] {
        case UInt8(ascii: ","):
            offset += 1
            skipSpace()
            if frame.isObject { try readKey(isFirst: false) }
            return false
        case UInt8(ascii: "}") where frame.isObject:
            closed = try close()
            return true
        case UInt8(ascii: "]") where !frame.isObject:
            closed = try close()
            return true
        default:
            throw unexpected(.separator(inObject: frame.isObject))
        }
    }

    private mutating func open(isObject: Bool, line: UInt32, column: UInt32) throws(JSONFailure) {
        guard frames.count < JSONValue.nestingLimit else { throw failure(.tooDeep(limit: JSONValue.nestingLimit)) }
        let start = isObject ? entries.count : elements.count
        frames.append(Frame(isObject: isObject, start: start, line: line, column: column))
        offset += 1
        skipSpace()
    }

    /// Removes the innermost container from the stack, at its closing bracket.
    private mutating func close() throws(JSONFailure) -> JSONValue {
        let frame = frames.removeLast()
        let storage: JSONValue.Storage
        if frame.isObject {
            let index = index(from: frame.start)
            let entries = entries.takeContiguousArray(from: frame.start)
            let object = JSONObjectStorage(entries: entries, index: index, height: frame.height + 1)
            storage = .object(JSONObject(storage: object))
        } else {
            storage = .array(JSONArrayStorage(elements.takeArray(from: frame.start), height: frame.height + 1))
        }
        offset += 1
        return JSONValue(storage: storage, line: frame.line, column: frame.column, flags: flags)
    }

    /// Reads a key and its colon.
    ///
    /// The entry waits on the stack for its value.
    @inline(__always)
    private mutating func readKey(isFirst: Bool) throws(JSONFailure) {
        guard offset < count, bytes[offset] == UInt8(ascii: "\"") else { throw keyFailure(isFirst: isFirst) }
        let line = line
        let column = column
        let (key, hash) = try readString()
        entries.append(
            JSONObjectStorage.Entry(
                key: key, keyLine: line, keyColumn: column, value: JSONValue(storage: .null), hash: hash))
        skipSpace()
        guard offset < count, bytes[offset] == UInt8(ascii: ":") else { throw unexpected(.colon) }
        offset += 1
        skipSpace()
    }

    /// Returns the key index of a closing object, and records duplicate keys.
    @inline(__always)
    private mutating func index(from start: Int) -> JSONKeyIndex {
        var index = JSONKeyIndex()
        let members = entries.slice(from: start)
        let isBuilt = index.build(of: members)
        let hasWideKeys = hasWideText && members.count > 1 && members.contains { KeyForms.isWide($0.key) }
        if isBuilt, !hasWideKeys { return index }
        noteDuplicates(from: start)
        return isBuilt ? index : JSONKeyIndex()
    }

    @inline(never)
    private mutating func noteDuplicates(from start: Int) {
        // Swift's strings are equal in all their Unicode forms.
        var first: [String: (key: String, position: JSONPosition)] = [:]
        for number in start..<entries.count where duplicates.count < Limits.duplicates {
            let key = entries[number].key
            let position = JSONPosition(line: Int(entries[number].keyLine), column: Int(entries[number].keyColumn))
            guard let first = first[key] else {
                first[key] = (key, position)
                continue
            }
            let problem: JSONSyntaxProblem =
                JSONText.areIdentical(first.key, key)
                ? .duplicateKey(key, first: first.position)
                : .otherForm(key, of: first.key, first: first.position)
            duplicates.append(JSONFailure(problem: problem, position: position))
        }
    }

    /// Skips white space and counts lines.
    ///
    /// A carriage return and a line feed count as one line break.
    @inline(__always)
    mutating func skipSpace() {
        while offset < count {
            let byte = bytes[offset]
            if byte > 0x20 { return }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                offset += 1
            case UInt8(ascii: "\n"):
                offset += 1
                line += 1
                lineStart = offset
                skipIndentation()
            case UInt8(ascii: "\r"):
                offset += 1
                if offset < count, bytes[offset] == UInt8(ascii: "\n") { continue }
                line += 1
                lineStart = offset
            default:
                return
            }
        }
    }

    /// Skips the spaces at the beginning of a line, eight at a time.
    @inline(__always)
    private mutating func skipIndentation() {
        let raw = UnsafeRawPointer(bytes)
        while count - offset >= 8 {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let difference = word ^ 0x2020_2020_2020_2020
            offset += difference.trailingZeroBitCount >> 3
            if difference != 0 { return }
        }
    }

    /// Skips a literal if the text continues with it and no letter or digit follows.
    @inline(__always)
    private mutating func accept(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard count - offset >= length else { return false }
        for index in 0..<length where bytes[offset + index] != literal.utf8Start[index] { return false }
        if offset + length < count, Self.isWordByte(bytes[offset + length]) { return false }
        offset += length
        return true
    }

    /// Whether a byte can continue a word or number, so that `truex` and `1_000` are single tokens in messages.
    static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isWordPart || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
}
