/// The result of looking up a path, with all other paths that were consulted: everything a reader's result depends on.
package struct PropertyLookup: Sendable {
    /// The path from the root of all settings, in its canonical form.
    package let path: String
    /// The resolved value, nil if it is missing, or the reason why it cannot be read.
    package let result: Result<JSONValue?, PropertiesError>
    /// The other paths that placeholders refer to, directly or not, found or not, in the order they were consulted, and
    /// the places of texts that paths led through.
    package let consulted: [String]

    /// The resolved value, or nil if it is missing or cannot be read.
    var value: JSONValue? { if case .success(let value) = result { value } else { nil } }

    /// Whether the value, or a part of its text, is masked when it is printed.
    package var isMasked: Bool { value?.isMasked ?? false }

    /// Whether there is a value.
    package var isFound: Bool { value != nil }

    /// The value as text, if it is a string.
    package var text: String? { value?.stringValue }

    /// Whether a reader would get the same result from both lookups.
    package func hasSameAnswer(as other: PropertyLookup) -> Bool {
        switch (result, other.result) {
        case (.success(let left?), .success(let right?)):
            left.isSameNode(as: right) || left == right && left.readsLike(right)
        case (.success(nil), .success(nil)):
            true
        case (.failure(let left), .failure(let right)):
            left == right
        case (.success, .success), (.success, .failure), (.failure, .success):
            false
        }
    }
}

extension Properties {
    /// Returns the resolved value at a path, with everything it depends on.
    package func lookup(_ path: String) -> PropertyLookup {
        // Paths that are found without parsing are already in their canonical form.
        if root == nil, !storage.hasTemplates, let index = storage.index, path.utf8.allSatisfy({ $0 < 0x80 }),
            let number = index.find(path)
        {
            return PropertyLookup(path: path, result: .success(index.node(at: number)), consulted: [])
        }
        do {
            return storage.lookup(try full(path))
        } catch {
            return PropertyLookup(path: path, result: .failure(error), consulted: [])
        }
    }

    /// Decodes the result of a lookup, like `value` but without another lookup.
    package func value<Value: Decodable>(
        of lookup: PropertyLookup, as type: Value.Type = Value.self
    ) throws(PropertiesError) -> Value {
        try decoded(type, from: lookup.result.get(), at: lookup.path)
    }

    /// Whether a path has the same value in both settings, or is missing or an error in the same way.
    package func hasSameAnswer(as other: Properties, at path: String) -> Bool {
        lookup(path).hasSameAnswer(as: other.lookup(path))
    }
}

extension PropertiesStorage {
    /// Looks up a path, and records what the result depends on.
    func lookup(_ path: PropertyPath) -> PropertyLookup {
        if !hasTemplates, let node = resolved?.part(at: path) {
            return PropertyLookup(path: path.text, result: .success(node), consulted: [])
        }
        var resolver = PlaceholderResolver(self)
        let result: Result<JSONValue?, PropertiesError>
        do {
            result = .success(try resolver.value(at: path))
        } catch {
            result = .failure(error)
        }
        return PropertyLookup(path: path.text, result: result, consulted: resolver.consulted.map(\.text))
    }
}

extension JSONValue {
    /// Whether both are the same array or object, which is not compared in full.
    fileprivate func isSameNode(as other: JSONValue) -> Bool {
        guard flags == other.flags else { return false }
        return switch (storage, other.storage) {
        case (.array(let left), .array(let right)): left === right
        case (.object(let left), .object(let right)): left.storage === right.storage
        default: false
        }
    }

    /// Whether an equal value converts in the same way, and is masked in the same way.
    ///
    /// The text `8080` of a file is not a number, but the same text of a variable converts to one. The number
    /// `9007199254740993` is no `Double`, but `9007199254740993.0` is rounded to one.
    fileprivate func readsLike(_ other: JSONValue) -> Bool {
        let kinds: JSONNodeFlags = [.text, .verbatim, .secret, .holdsSecret]
        guard flags.intersection(kinds) == other.flags.intersection(kinds) else { return false }
        switch (storage, other.storage) {
        case (.array(let left), .array(let right)):
            return zip(left.elements, right.elements).allSatisfy { $0.readsLike($1) }
        case (.object(let left), .object(let right)):
            return left.allSatisfy { key, value in right[key].map(value.readsLike) ?? false }
        case (.decimal(let left), .decimal(let right)):
            return left == right
        case (.integer, .decimal), (.decimal, .integer):
            return false
        default:
            return true
        }
    }
}
