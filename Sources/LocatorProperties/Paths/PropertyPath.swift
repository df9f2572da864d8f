/// The path of a value in a tree of settings: `server.port`, `servers[0].name`, `logging['com.shop'].level`.
package struct PropertyPath: Hashable, Sendable {
    /// A single step down the tree.
    package enum Step: Hashable, Sendable {
        /// A member of an object.
        case key(String)
        /// An element of an array.
        case index(Int)

        /// The key, or nil for an index.
        package var key: String? {
            if case .key(let key) = self { key } else { nil }
        }
    }

    /// The steps from the root, which itself has none.
    package var steps: [Step]

    /// The root of a tree.
    package static let root = PropertyPath([])

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The text of the path: plain keys separated by dots, and all other keys in brackets and single quotes.
    ///
    /// Two paths are equal if and only if their texts are, and parsing a text returns the same path. A character that a
    /// terminal would interpret is written by its number, `\u{9B}`. So is a mark at the beginning of a key, which would
    /// combine with the quote before it.
    @inline(never)
    package var text: String {
        var text = ""
        for step in steps {
            Self.append(step, to: &text)
        }
        return text
    }

    package func appending(_ step: Step) -> PropertyPath {
        PropertyPath(steps + [step])
    }

    package func appending(_ path: PropertyPath) -> PropertyPath {
        PropertyPath(steps + path.steps)
    }

    /// Returns the path with only the first steps.
    package func prefix(_ count: Int) -> PropertyPath { PropertyPath(Array(steps.prefix(count))) }

    /// Whether the path is the other path or below it.
    package func starts(with prefix: PropertyPath) -> Bool {
        steps.starts(with: prefix.steps)
    }

    /// The steps before the first index.
    ///
    /// A setting replaces an array as a whole, so a change of one element may change all others.
    package var stepsOutsideOfArrays: ArraySlice<Step> {
        steps.prefix { $0.key != nil }
    }

    /// All paths above a path, and at the end the path itself or the array that it is in.
    package static func prefixes(of path: String) -> [String] {
        guard let steps = (try? PropertyPath(parsing: path))?.stepsOutsideOfArrays else { return [path] }
        return steps.indices.map { PropertyPath(Array(steps[...$0])).text }
    }

    /// Whether any key of the path satisfies a condition.
    func hasKey(where isMatch: (String) -> Bool) -> Bool {
        steps.contains { $0.key.map(isMatch) ?? false }
    }

    /// Whether a change of the value at one path can change the value at the other.
    package func isRelated(to other: PropertyPath) -> Bool {
        starts(with: other) || other.starts(with: self)
    }

    /// Appends a step to the text of a path.
    @inline(never)
    package static func append(_ step: Step, to text: inout String) {
        switch step {
        case .index(let index):
            text += "[\(index)]"
        case .key(let key) where isPlain(key):
            if !text.isEmpty { text += "." }
            text += key
        case .key(let key):
            text += "['"
            for (index, scalar) in key.unicodeScalars.enumerated() {
                if scalar.isHidden || index == 0 && scalar.joinsPrevious {
                    text += scalar.escaped
                } else {
                    if scalar == "'" || scalar == "\\" { text.unicodeScalars.append("\\") }
                    text.unicodeScalars.append(scalar)
                }
            }
            text += "']"
        }
    }

    /// Whether a key can be written without quotes.
    package static func isPlain(_ key: String) -> Bool {
        guard key.utf8.allSatisfy(isPlain), let first = key.unicodeScalars.first else { return false }
        return key.utf8.allSatisfy { $0 < 0x80 }
            || !first.joinsPrevious && !key.unicodeScalars.contains(where: \.isHidden)
    }

    /// Whether a byte of a key's UTF-8 text needs no quotes around the key: letters, digits, `_`, `-`, and all bytes
    /// beyond ASCII.
    @inline(__always)
    package static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        case 0x80...: true
        default: false
        }
    }
}

extension PropertyPath.Step {
    /// Whether two steps are the same.
    ///
    /// Keys are compared by their code points, as in JSON.
    package static func == (left: PropertyPath.Step, right: PropertyPath.Step) -> Bool {
        switch (left, right) {
        // The comparison of strings is fast, and strings that differ for Swift also differ in their code points.
        case (.key(let left), .key(let right)): left == right && JSONText.areIdentical(left, right)
        case (.index(let left), .index(let right)): left == right
        case (.key, .index), (.index, .key): false
        }
    }

    /// Hashes the code points of a key.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let key):
            JSONText.withBytes(of: key) { hasher.combine(bytes: $0) }
            hasher.combine(0xff as UInt8)
        case .index(let index):
            hasher.combine(index)
        }
    }
}

extension PropertyPath: CustomStringConvertible {
    package var description: String { text }
}
