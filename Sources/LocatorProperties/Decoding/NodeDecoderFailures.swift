#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The errors of a decoder. Each is a `DecodingError`, because a type's own initializer may catch it. The problem
/// itself is the underlying error.
extension NodeDecoder {
    /// Returns the text of the path to this decoder, or to a step below it.
    func path(step: PropertyPath.Step? = nil) -> String {
        var text = session.path
        for step in steps { PropertyPath.append(step, to: &text) }
        if let step { PropertyPath.append(step, to: &text) }
        return text
    }

    /// Returns the path to this decoder, or to a step below it.
    func propertyPath(step: PropertyPath.Step? = nil) -> PropertyPath {
        // A root that is not a valid path still has words that may mark a secret.
        let root = (try? PropertyPath(parsing: session.path)) ?? PropertyPath([.key(session.path)])
        return PropertyPath(root.steps + steps + (step.map { [$0] } ?? []))
    }

    func isSecret(_ node: JSONValue, step: PropertyPath.Step?) -> Bool {
        node.flags.contains(.secret) || session.context.secrets.isSecret(propertyPath(step: step))
    }

    /// Returns the found value in the words of a message.
    ///
    /// For a secret, that is only its kind.
    func found(_ node: JSONValue, step: PropertyPath.Step? = nil) -> ValueProblem.Found {
        ValueProblem.Found(node, isSecret: isSecret(node, step: step))
    }

    @inline(never)
    func mismatch(_ type: any Any.Type, found node: JSONValue, step: PropertyPath.Step? = nil) -> DecodingError {
        let (expected, found) = (TypeName.expected(type), found(node, step: step))
        let problem: ValueProblem =
            switch found {
            case .string where node.isQuoted(type): .quoted(expected: expected, found: found)
            case .number where node.isRounded(by: type): .rounded(expected: expected, found: found)
            default: .mismatch(expected: expected, found: found)
            }
        return failure(problem, at: node, step: step)
    }

    /// Returns the error for a key that the object does not have.
    @inline(never)
    func missing(_ expected: String, key: any CodingKey, in object: JSONObject) -> DecodingError {
        let near = near(key.stringValue, in: object)
        let problem = problem(.missing(expected: expected, near: near), at: node, step: .key(key.stringValue))
        return .keyNotFound(key, context(of: problem, at: codingPath))
    }

    /// Notes an optional key that the object does not have, if it has similar ones that no type reads.
    @inline(never)
    func noteAbsence(of key: String, in object: JSONObject) {
        guard let known = session.absences, known.count < DecodingSession.problemLimit else { return }
        let near = session.near(key, in: object).filter { !session.reads($0, of: object) }
        if near.isEmpty { return }
        let paths = near.map { path(step: .key($0)) }
        session.absences?.append(problem(.missing(expected: "a value", near: paths), at: node, step: .key(key)))
    }

    @inline(never)
    func failure(_ problem: ValueProblem, at node: JSONValue, step: PropertyPath.Step? = nil) -> DecodingError {
        let problem = absence(behind: problem) ?? self.problem(problem, at: node, step: step)
        return .dataCorrupted(context(of: problem, at: codingPath + (step.map { [StepKey($0)] } ?? [])))
    }

    private func context(of problem: PropertiesProblem, at path: [any CodingKey]) -> DecodingError.Context {
        let error = PropertiesError(problem)
        return DecodingError.Context(codingPath: path, debugDescription: error.description, underlyingError: error)
    }

    /// Returns the problem that the key of this node is missing, if the node represents a superclass without a key.
    private func absence(behind problem: ValueProblem) -> PropertiesProblem? {
        guard case .mismatch(let expected, _) = problem else { return nil }
        // The superclass may decode a type that wraps a single value, which has the same node.
        var decoder = self
        while decoder.step == nil, let parent = decoder.parent { decoder = parent }
        guard let parent = decoder.parent, let key = decoder.step?.key, let object = try? parent.object(),
            object.index(ofKey: key) == nil
        else { return nil }
        let near = parent.near(key, in: object)
        return parent.problem(.missing(expected: expected, near: near), at: parent.node, step: decoder.step)
    }

    /// Returns the paths that may have been meant by a missing key of this node.
    private func near(_ key: String, in object: JSONObject) -> [String] {
        session.near(key, in: object).map { path(step: .key($0)) }
    }

    private func problem(
        _ problem: ValueProblem, at node: JSONValue, step: PropertyPath.Step?
    ) -> PropertiesProblem {
        let path = path(step: step)
        return PropertiesProblem(.value(problem), path: path.isEmpty ? nil : path, position: node.position)
    }

    /// Returns an error with its path and position, unless it already comes from this decoder.
    ///
    /// Errors other than `DecodingError` are returned unchanged, so that an outer type can catch them. Their place is
    /// recorded in case no type does.
    func explained(_ error: any Error, type: any Decodable.Type) -> any Error {
        guard let error = error as? DecodingError else {
            session.noteForeign(error, at: self)
            return error
        }
        let context = error.context
        if context.underlyingError is PropertiesError { return error }
        // A type that throws its own error may name a place further down.
        let steps = context.codingPath.dropFirst(codingPath.count).map { key in
            key.intValue.map { PropertyPath.Step.index($0) } ?? .key(key.stringValue)
        }
        if steps.isEmpty, context.debugDescription.hasPrefix("Cannot initialize"),
            let expected = TypeName.rawChoices(of: type)
        {
            return failure(unknownRawValue(of: type, expected: expected), at: node)
        }
        let reason = steps.isEmpty ? reasonOfKeys(context) ?? context.debugDescription : context.debugDescription
        // What a type says of a value with a placeholder is about all of the value, even if it names a part.
        let refusal = ValueProblem.refused(type: TypeName.of(type), reason: masked(reason))
        if session.hasPlaceholder(below: path()) { return failure(refusal, at: node) }
        var decoder = self
        for step in steps {
            let part = Self.child(of: decoder.node, at: step)
            // A key that the settings do not have may be the text of a value.
            decoder = NodeDecoder(
                part ?? decoder.node, target: type, at: part == nil ? masked(step) : step, below: decoder)
        }
        return decoder.failure(refusal, at: decoder.node)
    }

    /// Returns what is wrong with the keys of an enumeration whose cases have values, or nil for other errors.
    ///
    /// The standard library does not name the keys.
    private func reasonOfKeys(_ context: DecodingError.Context) -> String? {
        guard context.debugDescription.hasPrefix("Invalid number of keys found"), let keys = try? object().keys else {
            return nil
        }
        if keys.count == 1 { return "it has no case \(DiagnosticText.quoted(keys[0]))" }
        return "expected a case as the only key, found \(keys.count) keys"
    }

    /// Returns the problem that a type has no case with this value.
    private func unknownRawValue(of type: any Decodable.Type, expected: String) -> ValueProblem {
        let found = found(node)
        if let text = node.stringValue, !isSecret(node, step: nil) {
            let near = TypeName.rawValues(of: type, near: text)
            if !near.isEmpty { return .misspelled(expected: expected, found: found, near: near) }
        }
        return .mismatch(expected: expected, found: found)
    }

    /// Returns the problem that the decoded type does not accept its value.
    func refusal(reason: String) -> PropertiesProblem {
        problem(.refused(type: TypeName.of(target), reason: masked(reason)), at: node, step: nil)
    }

    private static func child(of node: JSONValue, at step: PropertyPath.Step) -> JSONValue? {
        switch step {
        case .key(let key): node[key]
        case .index(let index): node[index]
        }
    }

    private func masked(_ step: PropertyPath.Step) -> PropertyPath.Step {
        step.key.map { .key(masked($0)) } ?? step
    }

    /// Returns a foreign text without the secrets of this node and of everything below it.
    func masked(_ text: String) -> String {
        if isSecret(node, step: nil), node.objectValue == nil, node.arrayValue == nil { return Redaction.mask }
        var secrets: Set<String> = []
        collectSecrets(of: node, into: &secrets)
        return Redaction.masking(secrets, in: text)
    }

    /// Adds the secrets of a value at this node, and of everything below it.
    private func collectSecrets(of value: JSONValue, into secrets: inout Set<String>) {
        func collect(_ part: JSONValue, at step: PropertyPath.Step) {
            guard depth < JSONValue.nestingLimit else { return }
            NodeDecoder(part, target: target, at: step, below: self).collectSecrets(of: part, into: &secrets)
        }
        switch value.storage {
        case .object(let object):
            for (key, part) in object { collect(part, at: .key(key)) }
        case .array(let array):
            for (index, part) in array.elements.enumerated() { collect(part, at: .index(index)) }
        case .null, .boolean, .integer, .decimal, .string:
            let isSecret = isSecret(value, step: nil)
            let text = value.stringValue ?? value.text(showingSecrets: true)
            // A type may quote only a part of the text: a member of the JSON, or the password in the URL.
            if isSecret || value.isMasked, JSONText.beginsContainer(text),
                let members = try? readText(like: JSONText.exampleOfObject) ?? JSONValue(parsing: text)
            {
                collectSecrets(of: members, into: &secrets)
            }
            let parts = Redaction.secrets(in: text)
            let found = isSecret || value.isMasked && parts.isEmpty ? parts + [text] : parts
            for secret in found { secrets.formUnion(Redaction.forms(of: secret)) }
            guard isSecret else { return }
            // A number, a UUID, or a URL may be written in another way than in the file. Data describes only its size.
            for case let scalar? in ScalarTypes.all.map({ $0.scalar(from: value) }) {
                if !(scalar is Data || scalar is JSONValue) { secrets.insert("\(scalar)") }
            }
            // `JSONNumber` also gives a number that a `Double` must round.
            if let number = value.number?.doubleValue { secrets.insert("\(number)") }
        }
    }
}

extension JSONValue {
    /// Whether a string would be a value of a type without its quotes.
    fileprivate func isQuoted(_ type: any Any.Type) -> Bool {
        func converts<Value>(_ value: JSONValue, to type: Value.Type) -> Bool {
            if case .value = value.scalar(as: type) { true } else { false }
        }
        guard let value = stringValue.flatMap({ try? JSONValue(parsing: $0) }),
            value.numberValue != nil || value.booleanValue != nil
        else { return false }
        return converts(value, to: type)
    }

    /// Whether a floating-point type can represent this whole number only rounded.
    fileprivate func isRounded(by type: any Any.Type) -> Bool {
        func isFinite<Value: BinaryFloatingPoint>(_ number: Double, as type: Value.Type) -> Bool {
            Value(number).isFinite
        }
        guard let type = type as? any BinaryFloatingPoint.Type, let number = numberValue, number.isWrittenWhole,
            let value = number.doubleValue
        else { return false }
        return isFinite(value, as: type)
    }
}

extension DecodingError {
    /// The context of any case.
    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
