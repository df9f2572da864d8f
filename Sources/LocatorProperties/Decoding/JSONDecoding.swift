#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONValue {
    /// Decodes a type from the value, without converting it to text.
    ///
    /// The error names all missing keys and wrong values together, up to a hundred. In long texts of variables that are
    /// read as JSON, it names fewer.
    ///
    /// - Throws: ``PropertiesError`` with all missing keys and wrong values.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(PropertiesError) -> Value {
        try decode(type, at: "", in: .plain)
    }

    /// Decodes a type from the value at a path.
    ///
    /// Every path in an error begins with this path.
    package func decode<Value: Decodable>(
        _ type: Value.Type, at path: String, in context: DecodingContext
    ) throws(PropertiesError) -> Value {
        // The most common types come first and return immediately. This function runs unspecialized for callers in
        // other modules, where even an optional of the requested type costs a metadata lookup.
        if type == String.self {
            if let value = stringValue { return Self.cast(value) }
        } else if type == Int.self {
            if let value = integer(Int.self) { return Self.cast(value) }
        } else if type == Bool.self {
            if let value = boolean { return Self.cast(value) }
        } else if type == Double.self {
            if let value = double { return Self.cast(value) }
        } else if type == URL.self {
            if let value = context.url(of: self) { return Self.cast(value) }
        }
        return try decodeWhole(type, at: path, in: context)
    }

    /// Returns a value as the requested type.
    ///
    /// The caller has checked that both types are the same.
    @inline(__always)
    private static func cast<Scalar, Value>(_ scalar: Scalar) -> Value {
        // Safe because every caller has compared `Scalar` and `Value` and found them identical.
        unsafeBitCast(scalar, to: Value.self)
    }

    @inline(never)
    private func decodeWhole<Value: Decodable>(
        _ type: Value.Type, at path: String, in context: DecodingContext
    ) throws(PropertiesError) -> Value {
        let session = DecodingSession(path: path, context: context)
        do {
            return try decodeWhole(type, session: session)
        } catch {
            throw failure(of: type, error: error, first: session)
        }
    }

    /// Returns the optional parts of a type that are missing although similar keys exist.
    func absences<Value: Decodable>(
        in type: Value.Type, at path: String, in context: DecodingContext
    ) -> [PropertiesProblem] {
        sessionNotingKeys(of: type, at: path, in: context).absences ?? []
    }

    /// Whether a type reads a part of the value, or may read it.
    func reads<Value: Decodable>(
        _ part: ArraySlice<PropertyPath.Step>, in type: Value.Type, at path: String, in context: DecodingContext
    ) -> Bool {
        guard let key = part.last?.key, case .object(let object)? = TreeWalk(self, part.dropLast()).node?.storage else {
            return true
        }
        return sessionNotingKeys(of: type, at: path, in: context).reads(key, of: object)
    }

    private func sessionNotingKeys<Value: Decodable>(
        of type: Value.Type, at path: String, in context: DecodingContext
    ) -> DecodingSession {
        let session = DecodingSession(path: path, context: context)
        session.absences = []
        _ = try? decodeWhole(type, session: session)
        return session
    }

    private func decodeWhole<Value: Decodable>(_ type: Value.Type, session: DecodingSession) throws -> Value {
        let decoder = NodeDecoder(self, target: type, session: session)
        switch scalar(as: type) {
        case .value(let value): return value
        case .mismatch: throw decoder.mismatch(type, found: self)
        case .notScalar: return try decoder.decodeWhole(type)
        }
    }

    /// Returns all problems: decodes again after each, with a placeholder where it was.
    ///
    /// So an error that a type catches is not a problem.
    private func failure<Value: Decodable>(
        of type: Value.Type, error: any Error, first: DecodingSession
    ) -> PropertiesError {
        var problems: [PropertiesProblem] = []
        var answered: Set<String> = []
        var (attempt, failure) = (first, error as (any Error)?)
        var parsedBytes = first.parsedBytes
        while let error = failure, problems.count < DecodingSession.problemLimit {
            let found = attempt.problems(of: error)
            problems += found.filter { !problems.contains($0) && !$0.mayConcernPlaceholder(in: attempt) }
            guard let last = found.first, answered.insert(last.path ?? "").inserted else { break }
            if parsedBytes > DecodingSession.parsedBytesLimit { break }
            attempt = DecodingSession(path: first.path, context: first.context, answering: answered)
            defer { parsedBytes += attempt.parsedBytes }
            do {
                _ = try decodeWhole(type, session: attempt)
                failure = nil
            } catch {
                failure = error
            }
        }
        if let error = PropertiesError(problems) { return error }
        let refusal = ValueProblem.refused(type: TypeName.of(type), reason: "it fails without a reason")
        return PropertiesError(.value(refusal), path: first.path)
    }
}

extension PropertiesProblem {
    /// Whether a type did not accept its value, although a part of that was a placeholder.
    fileprivate func mayConcernPlaceholder(in session: DecodingSession) -> Bool {
        guard case .value(.refused) = kind else { return false }
        return session.hasPlaceholder(below: path ?? "")
    }
}

extension JSONValue: Decodable {
    /// Creates a value from the current node of a decoder.
    ///
    /// Trees of this package are not copied, and their numbers keep their text. Other decoders pass no text, so that a
    /// fraction has only the digits of a `Double`.
    ///
    /// - Throws: The error of the decoder.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? NodeDecoder {
            self = decoder.node
            return
        }
        if let container = try? decoder.container(keyedBy: StepKey.self) {
            var object = JSONObject()
            for key in container.allKeys {
                object[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? container.decode(UInt64.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? container.decode(Int128.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? container.decode(UInt128.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? container.decode(Double.self), let number = JSONNumber(value) {
                self = .number(number)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }
}
