/// The format of written JSON.
public enum JSONStyle: Sendable, Hashable {
    /// Without white space.
    case compact
    /// One element or key per line, indented by two spaces per level.
    case pretty
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    ///
    /// Secret settings are masked.
    public var description: String { text() }

    /// Returns the value as JSON.
    ///
    /// Secret settings are masked.
    ///
    /// The same value always has the same text, and numbers keep their original text. A value that does not come from
    /// settings has no secrets.
    ///
    /// - Parameters:
    ///   - style: The format of the JSON.
    ///   - showingSecrets: Whether secrets are written, for a text that another program reads.
    public func text(_ style: JSONStyle = .compact, showingSecrets: Bool = false) -> String {
        String(decoding: bytes(style, showingSecrets: showingSecrets), as: UTF8.self)
    }

    /// Returns the value as the UTF-8 bytes of its JSON.
    ///
    /// Secret settings are masked.
    ///
    /// - Parameters:
    ///   - style: The format of the JSON.
    ///   - showingSecrets: Whether secrets are written, for a text that another program reads.
    public func bytes(_ style: JSONStyle = .compact, showingSecrets: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isPretty: style == .pretty, masksSecrets: !showingSecrets)
        writer.write(self)
        return writer.output
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as compact JSON.
    public var description: String { JSONValue.object(self).description }
}

/// Writes a tree.
///
/// Containers wait in a list, so that depth costs memory and not stack.
private struct JSONWriter {
    enum Container {
        case array([JSONValue])
        case object(JSONObject)

        var count: Int {
            switch self {
            case .array(let elements): elements.count
            case .object(let object): object.count
            }
        }
    }

    struct Frame {
        let container: Container
        var next = 0
    }

    let isPretty: Bool
    let masksSecrets: Bool
    var output: [UInt8] = []
    var frames: [Frame] = []

    mutating func write(_ value: JSONValue) {
        begin(value)
        while let frame = frames.last {
            guard frame.next < frame.container.count else {
                frames.removeLast()
                if frame.next > 0 { breakLine() }
                switch frame.container {
                case .array: output.append(UInt8(ascii: "]"))
                case .object: output.append(UInt8(ascii: "}"))
                }
                continue
            }
            frames[frames.count - 1].next += 1
            if frame.next > 0 { output.append(UInt8(ascii: ",")) }
            breakLine()
            switch frame.container {
            case .array(let elements):
                begin(elements[frame.next])
            case .object(let object):
                write(object.key(at: frame.next))
                output.append(UInt8(ascii: ":"))
                if isPretty { output.append(UInt8(ascii: " ")) }
                begin(object.value(at: frame.next))
            }
        }
    }

    /// Writes a scalar, or the opening bracket of a container.
    private mutating func begin(_ value: JSONValue) {
        if masksSecrets, let text = value.textInPlace {
            write(text)
            return
        }
        switch value.storage {
        case .null: output.append(contentsOf: "null".utf8)
        case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .decimal(let text): output.append(contentsOf: text.utf8)
        case .string(let text): write(text)
        case .array(let array):
            output.append(UInt8(ascii: "["))
            frames.append(Frame(container: .array(array.elements)))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            frames.append(Frame(container: .object(object)))
        }
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        output.append(UInt8(ascii: "\n"))
        // The indentation is limited, because in a very deep tree the spaces would exceed everything else.
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: min(frames.count, 50) * 2))
    }

    private mutating func write(_ text: String) {
        output.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            write(ascii: text.utf8)
        } else {
            for scalar in text.unicodeScalars {
                if scalar.value >= 0x80, scalar.isHidden {
                    for unit in UTF16.encode(scalar) ?? .init() { writeEscape(unit) }
                } else {
                    write(ascii: UTF8.encode(scalar) ?? .init())
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Writes bytes, with ASCII escaped if JSON or a terminal needs it.
    private mutating func write(ascii bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0a: output.append(contentsOf: "\\n".utf8)
            case 0x0c: output.append(contentsOf: "\\f".utf8)
            case 0x0d: output.append(contentsOf: "\\r".utf8)
            case 0x00..<0x20, 0x7f: writeEscape(UInt16(byte))
            default: output.append(byte)
            }
        }
    }

    private mutating func writeEscape(_ unit: UInt16) {
        output.append(contentsOf: "\\u\(DiagnosticText.hexadecimal(unit, width: 4).lowercased())".utf8)
    }
}
