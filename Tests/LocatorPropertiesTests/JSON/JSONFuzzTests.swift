import LocatorProperties
import TestSupport
import Testing

@Suite("The reader survives every input")
struct JSONFuzzTests {
    private static let samples = [
        #"{"server": {"port": 8080, "hosts": ["a", "b"], "on": true}, "none": null, "ratio": -0.5e-3}"#,
        #"[1, 2.5, "text \u00e9 \ud83d\ude00 \n", {"a": {"b": [[], {}]}}, false, 12345678901234567890]"#,
        "{\n  \"é\": \"日本語 😀\",\n  \"long text of more than one word\": [\"\\\\\\\"\"]\n}",
        #""just a string""#, "-12.5e+10", "  [ ]  ",
    ].map { Array($0.utf8) }

    /// Bytes with a meaning are more likely to confuse a reader than others.
    private static let telling =
        Array("{}[]\",:\\u0123456789eE+-.tfnrl \n\t\r/'".utf8) + [0, 0x1f, 0x80, 0xc3, 0xed, 0xff]

    @Test("Mutated and random bytes are read or are errors, and values that are read survive a round trip")
    func read_valueOrError_whateverBytes() {
        var generator = SeededGenerator(for: "read_valueOrError_whateverBytes")
        var accepted = 0
        var wrong: [[UInt8]] = []
        for round in 0..<TestScale.count(1_000_000) {
            let bytes =
                round.isMultiple(of: 4)
                ? Self.randomBytes(using: &generator) : Self.mutatedSample(using: &generator)
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            accepted += 1
            if (try? JSONValue(parsing: value.bytes())) != value { wrong.append(bytes) }
        }
        #expect(wrong.isEmpty)
        #expect(accepted > 0)
    }

    @Test("An error's place is within the text")
    func error_hasPlaceWithinText_whateverBytes() {
        var generator = SeededGenerator(for: "error_hasPlaceWithinText_whateverBytes")
        for _ in 0..<TestScale.count(100_000) {
            let bytes = Self.mutatedSample(using: &generator)
            do throws(PropertiesError) {
                _ = try JSONValue(parsing: bytes)
            } catch {
                let lines = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0a }
                let position = error.problems.first?.position
                let line = position?.line ?? 0
                let column = position?.column ?? 0
                // Carriage returns also end lines, so there may be more lines than line feeds.
                let limit = lines.count + bytes.count { $0 == 0x0d }
                if !(1...limit).contains(line) || !(1...bytes.count + 1).contains(column) {
                    Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(error)")
                }
            }
        }
    }

    @Test("Random trees are written and read back equal, in both styles")
    func tree_isReadBack_whateverTree() throws {
        var generator = SeededGenerator(for: "tree_isReadBack_whateverTree")
        for _ in 0..<TestScale.count(20_000) {
            let tree = RandomTree.value(depth: 4, using: &generator)
            let compact = try JSONValue(parsing: tree.text())
            #expect(compact == tree)
            #expect(compact.hashValue == tree.hashValue)
            #expect(compact.text() == tree.text())
            #expect(try JSONValue(parsing: tree.text(.pretty)) == tree)
        }
    }

    private static func randomBytes(using generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
            Bool.random(using: &generator)
                ? telling[Int(generator.next() % UInt64(telling.count))] : UInt8(truncatingIfNeeded: generator.next())
        }
    }

    private static func mutatedSample(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = samples[Int(generator.next() % UInt64(samples.count))]
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let place = Int(generator.next() % UInt64(bytes.count))
            let byte = telling[Int(generator.next() % UInt64(telling.count))]
            switch generator.next() % 5 {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.removeSubrange(place...)
            default: bytes.swapAt(place, bytes.count / 2)
            }
        }
        return bytes
    }
}

/// Random values of every kind, for rules that apply to all of them.
enum RandomTree {
    static func value(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: nil
        case 1: .boolean(Bool.random(using: &generator))
        case 2: .number(JSONNumber(Int.random(in: .min ... .max, using: &generator)))
        case 3: number(using: &generator)
        case 4, 5: .string(text(using: &generator))
        case 6:
            .array(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in value(depth: depth - 1, using: &generator) })
        default: .object(object(depth: depth, using: &generator))
        }
    }

    static func object(depth: Int, using generator: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            object[text(using: &generator)] = value(depth: depth - 1, using: &generator)
        }
        return object
    }

    private static func number(using generator: inout SeededGenerator) -> JSONValue {
        let whole = Int.random(in: -1000...1000, using: &generator)
        let fraction = String(generator.next() % 100_000)
        let exponent = Int.random(in: -400...400, using: &generator)
        return JSONNumber("\(whole).\(fraction)e\(exponent)").map { .number($0) } ?? nil
    }

    private static func text(using generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let range: ClosedRange<UInt32> =
                switch generator.next() % 5 {
                case 0: 0...0x1f
                case 1, 2: 0x20...0x7e
                case 3: 0x7f...0x7ff
                default: 0x800...0x10ffff
                }
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
