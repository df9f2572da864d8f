import Locator

/// Checks whether the values of a profile decode to types that are known only by name.
///
/// Standard types, and types that consist of them, are decoded as in the program. Enumerations are compared with the
/// raw values that the compiler lists. For other types, only the existence of a value can be checked.
struct ValueCheck {
    let properties: Properties
    let types: CompiledTypes

    /// A problem, or a possible problem, of a value.
    struct Problem {
        var problem: PropertiesProblem
        /// The type that decodes itself, so that only the program knows whether the value is valid, or nil if the value
        /// is invalid.
        var decider: TypeText?
    }

    func problems(at path: String, as type: TypeText) -> [Problem] {
        if let standard = type.standardType { return problems(at: path, decoding: standard) }
        let inner = type.arguments
        switch (type.head, inner.count) {
        case ("Swift.Optional", 1):
            return properties[path].map(\.isNull) ?? true ? [] : problems(at: path, as: inner[0])
        case ("Swift.Array", 1), ("Swift.Set", 1):
            let found: [Problem] = problems(at: path, decoding: [JSONValue].self, named: type.short)
            let value = properties[path]
            let count = (value?.arrayValue ?? value?.containerOfText?.arrayValue)?.count ?? 0
            return found + (0..<count).flatMap { problems(at: "\(path)[\($0)]", as: inner[0]) }
        case ("Swift.Dictionary", 2):
            // Dictionaries with other types of keys are encoded differently.
            guard inner[0].head == "Swift.String" else { break }
            let found: [Problem] = problems(at: path, decoding: [String: JSONValue].self, named: type.short)
            guard let parsed = try? PropertyPath(parsing: path) else { return found }
            return found
                + properties.keys(below: parsed).flatMap { problems(at: parsed.appending(.key($0)).text, as: inner[1]) }
        default:
            break
        }
        if let (raw, values) = types.rawValues(of: type), let standard = raw.standardType {
            let found = problems(at: path, as: type, decoding: standard, among: values)
            // The type's own `init(from:)` may accept more values.
            guard types.symbols.hasOwnDecoding(type.text), properties[path] != nil else { return found }
            return found.map { Problem(problem: $0.problem, decider: type) }
        }
        return problems(at: path, decoding: JSONValue.self, named: type.isOpen ? "a value" : type.short)
    }

    /// Decodes the value.
    ///
    /// If another type is decoded instead of the actual one, the name is that of the actual type.
    private func problems<Value: Decodable>(
        at path: String, decoding type: Value.Type, named name: String? = nil
    ) -> [Problem] {
        do throws(PropertiesError) {
            _ = try properties.value(path, as: type)
            return []
        } catch {
            return error.problems.map { problem in
                guard let name, problem.path == path, case .value(let value) = problem.kind else {
                    return Problem(problem: problem)
                }
                var problem = problem
                problem.kind = .value(value.expecting(name))
                return Problem(problem: problem)
            }
        }
    }

    /// Decodes a raw value, and checks that the type has it.
    private func problems<Raw: Decodable>(
        at path: String, as type: TypeText, decoding raw: Raw.Type, among values: [String]
    ) -> [Problem] {
        let isText = raw == String.self
        let shown = values.map { isText ? "\"\($0)\"" : $0 }
        let name = "\(type.short) (\(shown.alternatives))"
        let found = problems(at: path, decoding: raw, named: name)
        guard let value = try? properties.value(path, as: raw) else { return found }
        let text = "\(value)"
        if values.contains(text) { return [] }
        let explanation = properties.explain(path)
        let secret = properties[path].flatMap { $0.isMasked ? ValueProblem.Found($0) : nil }
        let actual = secret ?? (isText ? .string(text) : .number(text))
        var problem = PropertiesProblem(.value(.mismatch(expected: name, found: actual)), path: path)
        problem.file = explanation.origin?.name
        problem.position = explanation.origin?.position
        return [Problem(problem: problem)]
    }
}

extension ValueProblem {
    /// Returns the problem with another name for the expected type.
    fileprivate func expecting(_ name: String) -> ValueProblem {
        switch self {
        case .missing(_, let near): .missing(expected: name, near: near)
        case .removed: .removed(expected: name)
        case .noSuchPart(_, let container, let found): .noSuchPart(expected: name, container: container, found: found)
        case .mismatch(_, let found): .mismatch(expected: name, found: found)
        case .misspelled(_, let found, let near): .misspelled(expected: name, found: found, near: near)
        case .quoted(_, let found): .quoted(expected: name, found: found)
        case .rounded(_, let found): .rounded(expected: name, found: found)
        case .textIsNotJSON(_, let problem, let position): .textIsNotJSON(expected: name, problem, position)
        case .textIsNoContainer(_, let example): .textIsNoContainer(expected: name, example: example)
        case .tooFewElements(_, let count): .tooFewElements(expected: name, count: count)
        case .refused, .tooDeep, .otherForm, .indexInOverride, .partOfOverride, .setTwice: self
        }
    }
}

extension TypeText {
    /// The type itself, if it is a type of the standard library or Foundation, or consists of such types.
    fileprivate var standardType: (any Decodable.Type)? {
        let inner = arguments
        switch (head, inner.count) {
        case ("Swift.Optional", 1): return inner[0].standardType.map { Self.optional($0) }
        case ("Swift.Array", 1), ("Swift.Set", 1): return inner[0].standardType.map { Self.array($0) }
        case ("Swift.Dictionary", 2) where inner[0].head == "Swift.String":
            return inner[1].standardType.map { Self.dictionary($0) }
        default: return Self.scalars[head.replacing("FoundationEssentials.", with: "Foundation.")]
        }
    }

    private static func optional<Value: Decodable>(_ type: Value.Type) -> any Decodable.Type { Value?.self }

    private static func array<Value: Decodable>(_ type: Value.Type) -> any Decodable.Type { [Value].self }

    private static func dictionary<Value: Decodable>(_ type: Value.Type) -> any Decodable.Type {
        [String: Value].self
    }

    private static let scalars = [String: any ScalarType.Type](
        uniqueKeysWithValues: ScalarTypes.all.map { ($0.qualifiedName, $0) })
}
