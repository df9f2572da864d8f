// The list of secrets within the settings: finding it, even in an invalid file, and checking it.

extension SecretRules {
    /// Returns the paths whose text must not appear in errors about invalid files, including those that the files
    /// themselves list.
    ///
    /// If a list cannot be read, that is every path.
    package func hidden(inFiles files: [[UInt8]]) -> (PropertyPath) -> Bool {
        var listed = listed
        for bytes in files {
            guard let lists = Self.lists(inFile: bytes) else { return { _ in true } }
            listed += lists
        }
        return SecretRules(listed: listed).isSecret
    }

    /// Returns the paths that a file lists, which may be invalid, or nil if the list cannot be read.
    package static func lists(inFile bytes: [UInt8]) -> [PropertyPath]? {
        var listed: [PropertyPath] = []
        for start in bytes.indices where bytes[start] == UInt8(ascii: "\"") {
            guard let end = endOfListName(in: bytes, at: start) else { continue }
            guard let list = list(behind: bytes[end...]) else { return nil }
            listed += list
        }
        return listed
    }

    /// Returns the position after `"secrets"`, whose letters may be escaped: `"secr\u0065ts"`.
    ///
    /// Nil for any other text.
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

    /// Returns the paths in an array after a colon.
    ///
    /// Empty if no colon follows, and nil if the paths cannot be read.
    private static func list(behind bytes: ArraySlice<UInt8>) -> [PropertyPath]? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        var rest = bytes.drop(while: isSpace)
        guard rest.first == UInt8(ascii: ":") else { return [] }
        rest = rest.dropFirst().drop(while: isSpace)
        // A path may contain brackets itself. The first closing bracket that makes the text an array ends it.
        let ends = rest.prefix(1 << 16).indices.lazy.filter { rest[$0] == UInt8(ascii: "]") }.prefix(64)
        for end in ends {
            guard let list = try? JSONValue(parsing: Array(rest[...end]), file: nil).arrayValue else { continue }
            let paths = list.compactMap(\.listedPath)
            return paths.count == list.count ? paths : nil
        }
        return nil
    }

    /// Returns the paths that a tree lists.
    ///
    /// Invalid paths are reported elsewhere.
    package static func list(in tree: JSONObject) -> [PropertyPath] {
        (listNode(in: tree)?.arrayValue ?? []).compactMap(\.listedPath)
    }

    /// Returns the list of a tree.
    ///
    /// A variable may contain it as JSON, or as a part of JSON.
    private static func listNode(in tree: JSONObject) -> JSONValue? {
        switch TreeWalk(tree, listPath.steps[...]) {
        case .found(let node):
            guard node.isReadAsJSON, let text = node.stringValue else { return node }
            return (try? JSONValue(parsing: text)) ?? node
        case .blocked(let node, let count):
            guard node.isReadAsJSON, let text = node.stringValue, let value = try? JSONValue(parsing: text) else {
                return nil
            }
            return TreeWalk(value, listPath.steps[count...]).node
        case .absent:
            return nil
        }
    }

    /// Returns the problems of a tree's list.
    ///
    /// A misspelled path must not leave a secret unmasked.
    package static func problemsOfList(in tree: JSONObject, origin: String) -> [PropertiesProblem] {
        guard let node = listNode(in: tree), !node.isNull else { return [] }
        guard case .array(let array) = node.storage else {
            return [problem(expected: "an array of paths", node, at: listPath, origin: origin)]
        }
        return array.elements.enumerated().compactMap { index, element in
            problemOfElement(element, at: listPath.appending(.index(index)), origin: origin)
        }
    }

    /// Returns the problem of an element of a list.
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

extension JSONValue {
    /// The path that an element of a list names, or nil if it is not the text of a path.
    package var listedPath: PropertyPath? { stringValue.flatMap { try? PropertyPath(parsing: $0) } }
}
