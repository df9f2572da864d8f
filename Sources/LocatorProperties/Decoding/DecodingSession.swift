/// One attempt to decode a type, shared by all decoders of the attempt.
final class DecodingSession {
    /// The maximum number of problems of a value.
    ///
    /// Nobody reads more, and a large array of the wrong type has one problem per element.
    static let problemLimit = 100
    /// How many bytes of texts are parsed as JSON, at most, before the last attempt to find another problem.
    static let parsedBytesLimit = 1_000_000

    /// How many bytes of texts were parsed as JSON.
    var parsedBytes = 0
    let context: DecodingContext
    /// The path of the root of the decoded value.
    let path: String
    /// The paths of earlier attempts' errors.
    ///
    /// What fails there again is replaced by a placeholder, so that decoding continues and finds the next error.
    private let answered: Set<String>
    /// The number of placeholders being created.
    ///
    /// Errors while creating a placeholder are not problems of the settings.
    private var inventions = 0
    /// How many placeholders may still be created.
    ///
    /// A type that contains itself several times needs a number of them that is exponential in the levels.
    private var remainingInventions = 1000
    /// The optional keys that objects do not have although they have similar ones, as missing settings, if they are
    /// wanted.
    var absences: [PropertiesProblem]?
    /// The types of the keys that objects were read with, if absences are wanted.
    var keyTypes: [(object: JSONObjectStorage, type: any CodingKey.Type)] = []
    /// The last error that did not come from this package, with the problem to report for it.
    private var foreign: ForeignError?

    /// The keys of the object in which a key was missing last, to find similar ones.
    private var keys: (object: JSONObjectStorage, names: NearNames)?

    /// An error of a type's own initializer.
    ///
    /// It holds no decoder, because a decoder would retain the session.
    private struct ForeignError {
        let path: String
        let text: String
        let problem: PropertiesProblem
    }

    init(path: String, context: DecodingContext, answering answered: Set<String> = []) {
        self.path = path
        self.context = context
        self.answered = answered
    }

    /// Whether a placeholder is being created, from an empty node.
    var isInventing: Bool { inventions > 0 }

    /// Whether a part of the value at a path was replaced by a placeholder.
    func hasPlaceholder(below path: String) -> Bool {
        answered.contains { path.isEmpty ? !$0.isEmpty : $0.hasPrefix("\(path).") || $0.hasPrefix("\(path)[") }
    }

    /// Returns the keys of an object that may have been meant by a missing one.
    func near(_ key: String, in object: JSONObject) -> [String] {
        if keys?.object !== object.storage { keys = (object.storage, NearNames(object.keys)) }
        return keys?.names.nearest(to: key) ?? []
    }

    /// Whether a type reads a key of an object, or may read it.
    func reads(_ key: String, of object: JSONObject) -> Bool {
        keyTypes.reversed().contains { $0.object === object.storage && $0.type.init(stringValue: key) != nil }
    }

    /// Throws an error, or returns a placeholder for an error of an earlier attempt.
    @inline(never)
    func recover<Value: Decodable>(_ error: any Error, as type: Value.Type) throws -> Value {
        guard isInventing || answered.contains(problems(of: error).first?.path ?? ""),
            let placeholder = Placeholder.value(type, in: self)
        else { throw error }
        foreign = nil
        return placeholder
    }

    /// Decodes an empty node, or returns nil for types that contain themselves without end.
    func invent<Value>(_ body: () throws -> Value) -> Value? {
        guard inventions < 16, remainingInventions > 0 else { return nil }
        inventions += 1
        remainingInventions -= 1
        defer { inventions -= 1 }
        return try? body()
    }

    /// Records where a foreign error came from: the innermost decoder that sees it.
    func noteForeign(_ error: any Error, at decoder: NodeDecoder) {
        guard !isInventing else { return }
        let path = decoder.path()
        let text = ForeignErrorText.of(error)
        if let foreign, foreign.text == text, foreign.path.hasPrefix(path) { return }
        foreign = ForeignError(path: path, text: text, problem: decoder.refusal(reason: text))
    }

    /// Returns the problems that an error represents.
    ///
    /// Its own errors are `DecodingError`s. A `PropertiesError` comes from a type that decodes something else.
    func problems(of error: any Error) -> [PropertiesProblem] {
        if let error = error as? DecodingError, let known = error.context.underlyingError as? PropertiesError {
            return known.problems
        }
        return foreign.map { [$0.problem] } ?? []
    }
}
