// The list of secrets that settings hold themselves: finding it, also in a file that cannot be read, and checking it.

extension SecretRules {
    /// What errors about a broken file must not quote: what is secret, also by a list in the file itself.
    ///
    /// Where such a list cannot be read, they quote nothing.
    package func hidden(inFile bytes: [UInt8]) -> (PropertyPath) -> Bool {
        var listed = listed
        for start in bytes.indices where bytes[start] == UInt8(ascii: "\"") {
            guard let end = Self.endOfListName(in: bytes, at: start) else { continue }
            guard let list = Self.list(behind: bytes[end...]) else { return { _ in true } }
            listed += list
        }
        return SecretRules(listed: listed).isSecret
    }

    /// The place behind `"secrets"`, whose letters may be escaped: `"secr\u0065ts"`; nil if something else stands.
    private static func endOfListName(in bytes: [UInt8], at start: Int) -> Int? {
        var rest = bytes[(start + 1)...]
        for letter in "secrets".utf8 {
            if rest.first == letter {
                rest = rest.dropFirst()
            } else if rest.starts(with: #"\u"#.utf8),
                Int(String(decoding: rest.dropFirst(2).prefix(4), as: UTF8.self), radix: 16) == Int(letter)
            {
                rest = rest.dropFirst(6)
            } else {
                return nil
            }
        }
        return rest.first == UInt8(ascii: "\"") ? rest.startIndex + 1 : nil
    }

    /// The paths that an array behind a colon lists; none where no colon follows, nil if they cannot be read.
    private static func list(behind bytes: ArraySlice<UInt8>) -> [PropertyPath]? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        var rest = bytes.drop(while: isSpace)
        guard rest.first == UInt8(ascii: ":") else { return [] }
        rest = rest.dropFirst().drop(while: isSpace)
        // A path may have brackets of its own: the first end that makes it an array is its end.
        let ends = rest.prefix(1 << 16).indices.lazy.filter { rest[$0] == UInt8(ascii: "]") }.prefix(64)
        for end in ends {
            guard let list = try? JSONValue(parsing: Array(rest[...end]), file: nil).arrayValue else { continue }
            let paths = list.compactMap { $0.stringValue.flatMap { try? PropertyPath(parsing: $0) } }
            return paths.count == list.count ? paths : nil
        }
        return nil
    }

    /// The paths that a tree lists; what cannot be read is reported elsewhere.
    package static func list(in tree: JSONObject) -> [PropertyPath] {
        (listNode(in: tree)?.arrayValue ?? []).compactMap {
            $0.stringValue.flatMap { try? PropertyPath(parsing: $0) }
        }
    }

    /// The list of a tree; a variable gives it as JSON, or as a part of JSON.
    private static func listNode(in tree: JSONObject) -> JSONValue? {
        switch TreeWalk(tree, listPath.steps[...]) {
        case .found(let node):
            guard node.isReadAsJSON, let text = node.stringValue else { return node }
            return (try? JSONValue(parsing: text)) ?? node
        case .blocked(let node, let count):
            guard node.isReadAsJSON, let text = node.stringValue, let value = try? JSONValue(parsing: text),
                case .found(let list) = TreeWalk(value, listPath.steps[count...])
            else { return nil }
            return list
        case .absent:
            return nil
        }
    }

    /// What is wrong with the list of a tree: a mistyped path must not leave a secret in the open.
    static func problemsOfList(in tree: JSONObject, origin: String) -> [PropertiesProblem] {
        guard let node = listNode(in: tree), !node.isNull else { return [] }
        guard case .array(let array) = node.storage else {
            return [problem(expected: "an array of paths", node, at: listPath, origin: origin)]
        }
        return array.elements.enumerated().compactMap { index, element in
            problemOfElement(element, at: listPath.appending(.index(index)), origin: origin)
        }
    }

    /// What is wrong with an element of a list.
    static func problemOfElement(
        _ element: JSONValue, at path: PropertyPath, origin: String
    ) -> PropertiesProblem? {
        guard case .string(let text) = element.storage else {
            return problem(expected: "a path", element, at: path, origin: origin)
        }
        do throws(PathProblem) {
            _ = try PropertyPath(parsing: text)
            return nil
        } catch {
            return PropertiesProblem(.path(error), path: path.text, file: origin, position: element.position)
        }
    }

    private static func problem(
        expected: String, _ node: JSONValue, at path: PropertyPath, origin: String
    ) -> PropertiesProblem {
        PropertiesProblem(
            .value(.mismatch(expected: expected, found: ValueProblem.Found(node))), path: path.text, file: origin,
            position: node.position)
    }
}
