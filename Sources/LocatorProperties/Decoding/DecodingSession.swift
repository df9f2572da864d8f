/// One attempt to decode a type, shared by all decoders of the attempt.
final class DecodingSession {
    /// The maximum number of collected problems.
    ///
    /// Nobody reads more, and a large array of the wrong type has one problem per element.
    static let problemLimit = 100

    let context: DecodingContext
    /// The path of the root of the decoded value.
    let path: String
    /// Whether problems are collected.
    ///
    /// Each is then answered with a placeholder, so that decoding continues.
    private let isCollecting: Bool
    private(set) var problems: [PropertiesProblem] = []
    /// The number of placeholders being created.
    ///
    /// Errors while creating a placeholder are not problems of the settings.
    private var inventions = 0
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

    init(path: String, context: DecodingContext, isCollecting: Bool) {
        self.path = path
        self.context = context
        self.isCollecting = isCollecting
    }

    /// Whether a placeholder is being created, from an empty node.
    var isInventing: Bool { inventions > 0 }

    /// Returns the keys of an object that may have been meant by a missing one.
    func near(_ key: String, in object: JSONObject) -> [String] {
        if keys?.object !== object.storage { keys = (object.storage, NearNames(object.keys)) }
        return keys?.names.nearest(to: key) ?? []
    }

    /// Throws an error.
    ///
    /// While collecting, records it instead and returns a placeholder, if the type has one.
    @inline(never)
    func recover<Value: Decodable>(_ error: any Error, as type: Value.Type) throws -> Value {
        guard isCollecting, problems.count < Self.problemLimit - 1,
            let placeholder = Placeholder.value(type, in: self)
        else { throw error }
        note(error)
        return placeholder
    }

    /// Decodes without recording problems, or returns nil for types that contain themselves without end.
    func invent<Value>(_ body: () throws -> Value) -> Value? {
        guard inventions < 16 else { return nil }
        inventions += 1
        defer { inventions -= 1 }
        return try? body()
    }

    /// Records the problems of an error.
    func note(_ error: any Error) {
        guard !isInventing else { return }
        for problem in problems(of: error) where !problems.contains(problem) {
            problems.append(problem)
        }
        foreign = nil
    }

    /// Records where a foreign error came from: the innermost decoder that sees it.
    func noteForeign(_ error: any Error, at decoder: NodeDecoder) {
        guard !isInventing else { return }
        let path = decoder.path()
        let text = ForeignErrorText.of(error)
        if let foreign, foreign.text == text, foreign.path.hasPrefix(path) { return }
        foreign = ForeignError(path: path, text: text, problem: decoder.refusal(reason: text))
    }

    /// Returns the problems that an error stands for.
    func problems(of error: any Error) -> [PropertiesProblem] {
        if let error = error as? PropertiesError { return error.problems }
        if let error = error as? DecodingError, let known = error.context.underlyingError as? PropertiesError {
            return known.problems
        }
        return foreign.map { [$0.problem] } ?? []
    }
}
