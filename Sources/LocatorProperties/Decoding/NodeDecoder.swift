/// A decoder at one node of a tree.
///
/// Each decoder knows its parent and the step down from it, so that a coding path is built only if an error or the type
/// needs it.
final class NodeDecoder: Decoder {
    let node: JSONValue
    let session: DecodingSession
    let parent: NodeDecoder?
    let step: PropertyPath.Step?
    /// The decoded type, for messages.
    let target: any Any.Type
    let depth: Int

    /// Creates a decoder for the root of the decoded value.
    init(_ node: JSONValue, target: any Any.Type, session: DecodingSession) {
        self.node = node
        self.session = session
        self.target = target
        parent = nil
        step = nil
        depth = 0
    }

    /// Creates a decoder one step below another decoder, or at the same node, for a type that wraps a single value.
    init(_ node: JSONValue, target: any Any.Type, at step: PropertyPath.Step?, below parent: NodeDecoder) {
        self.node = node
        self.target = target
        self.step = step
        self.parent = parent
        session = parent.session
        depth = parent.depth + 1
    }

    /// The steps from the root of the decoded value.
    var steps: [PropertyPath.Step] {
        var steps: [PropertyPath.Step] = []
        var decoder: NodeDecoder? = self
        while let current = decoder {
            if let step = current.step { steps.append(step) }
            decoder = current.parent
        }
        return steps.reversed()
    }

    var codingPath: [any CodingKey] { steps.map(StepKey.init) }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let object = try object()
        if let type = target as? any WithKeys.Type { try checkKeys(of: object, type) }
        if session.absences != nil { session.keyTypes.append((object.storage, type)) }
        return KeyedDecodingContainer(NodeKeyedContainer<Key>(object: object, decoder: self))
    }

    /// Checks that no two names are the same key, because a dictionary would drop one of them.
    private func checkKeys(of object: JSONObject, _ type: any WithKeys.Type) throws {
        var names: [AnyHashable: String] = [:]
        for name in object.keys {
            guard let key = type.key(named: name), let first = names.updateValue(name, forKey: key) else { continue }
            let reason = "the keys \"\(first)\" and \"\(name)\" are the same \(type.nameOfKeys)"
            throw failure(.refused(type: TypeName.of(target), reason: reason), at: node)
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        NodeUnkeyedContainer(elements: try elements(), decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        NodeSingleValueContainer(decoder: self)
    }

    /// Returns the node as an object.
    ///
    /// A text from outside a file is parsed as JSON.
    func object() throws -> JSONObject {
        if let object = node.objectValue { return object }
        if session.isInventing { return JSONObject() }
        if let value = try readText(like: JSONText.exampleOfObject), let object = value.objectValue { return object }
        let isOfOverrides = node.arrayValue?.contains { $0.flags.contains(.environment) } ?? false
        let found = isOfOverrides && !isSecret(node, step: nil) ? .arrayOfOverrides : self.found(node)
        throw failure(.mismatch(expected: TypeName.of(target, as: "an object"), found: found), at: node)
    }

    /// Returns the node as an array.
    ///
    /// A text from outside a file is parsed as JSON.
    func elements() throws -> [JSONValue] {
        if let elements = node.arrayValue { return elements }
        if session.isInventing { return [] }
        if let value = try readText(like: JSONText.exampleOfArray), let elements = value.arrayValue { return elements }
        let form = (target as? any WithKeys.Type)?.formOfOtherKeys ?? "an array"
        throw failure(.mismatch(expected: TypeName.of(target, as: form), found: found(node)), at: node)
    }

    /// Parses a text from outside a file as JSON, or returns nil if the node is not such a text.
    ///
    /// The error for a text that is no array or object shows an example of what is expected.
    func readText(like example: String) throws -> JSONValue? {
        guard node.isReadAsJSON, let text = node.stringValue else { return nil }
        session.parsedBytes += text.utf8.count
        do {
            // The parts of a text that holds a secret are checked separately.
            let flags = node.flags.subtracting([.text, .holdsSecret])
            let secrets = session.context.secrets
            let path = propertyPath()
            let value = try JSONValue(parsing: text, flags: flags) { secrets.isHidden($0, ofJSONAt: path) }
            let marked = secrets.markingJSON(value, at: path)
            return path.isOutsideOfArrays ? marked.withoutNulls : marked
        } catch {
            guard case .syntax(let problem)? = error.problems.first?.kind else { throw error }
            if !JSONText.beginsContainer(text) {
                throw failure(.textIsNoContainer(expected: TypeName.of(target), example: example), at: node)
            }
            let shown = isSecret(node, step: nil) ? problem.redacted : problem
            let place = error.problems.first?.position
            throw failure(.textIsNotJSON(expected: TypeName.of(target), shown, place), at: node)
        }
    }

    /// Decodes a node one step below this node.
    @inline(__always)
    func decode<Value: Decodable>(
        _ type: Value.Type, from node: JSONValue, at step: PropertyPath.Step
    ) throws -> Value {
        switch node.scalar(as: type) {
        case .value(let value): return value
        case .mismatch:
            return try session.recover(mismatch(type, found: node, step: step), as: type)
        case .notScalar:
            return try NodeDecoder(node, target: type, at: step, below: self).decodeWhole(type)
        }
    }

    /// Decodes a type with its own initializer.
    func decodeWhole<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            guard depth <= JSONValue.nestingLimit else {
                throw failure(.tooDeep(limit: JSONValue.nestingLimit), at: node)
            }
            return try Value(from: self)
        } catch {
            // If creating a placeholder failed, trying again fails too.
            guard !session.isInventing else { throw error }
            let error = explained(error, type: type)
            // Nothing is decoded after the root, so it needs no placeholder.
            if parent == nil { throw error }
            return try session.recover(error, as: type)
        }
    }
}

/// A coding key for any step of a path.
struct StepKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ step: PropertyPath.Step) {
        switch step {
        case .key(let key):
            stringValue = key
            intValue = nil
        case .index(let index):
            stringValue = "\(index)"
            intValue = index
        }
    }

    /// Creates the key with which the standard library decodes a dictionary.
    init(named name: String) {
        stringValue = name
        intValue = Int(name)
    }

    init(stringValue: String) {
        self.init(.key(stringValue))
    }

    init(intValue: Int) {
        self.init(.index(intValue))
    }
}

/// A dictionary, which the standard library decodes from an array of keys and values if it has other keys than strings and
/// integers.
private protocol WithKeys {
    static var formOfOtherKeys: String { get }
    static var nameOfKeys: String { get }
    /// Returns the key with a name in an object, or nil if the name is the key itself or cannot be one.
    static func key(named name: String) -> AnyHashable?
}

extension Dictionary: WithKeys {
    fileprivate static var formOfOtherKeys: String {
        "an array, because \(TypeName.of(Key.self)) does not conform to CodingKeyRepresentable"
    }

    fileprivate static var nameOfKeys: String { TypeName.of(Key.self) }

    fileprivate static func key(named name: String) -> AnyHashable? {
        if Key.self == String.self { return nil }
        return (Key.self as? any CodingKeyRepresentable.Type)?.init(codingKey: StepKey(named: name)) as? Key
    }
}
