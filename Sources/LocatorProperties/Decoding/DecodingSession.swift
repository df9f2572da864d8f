/// One attempt to decode a type: what its decoders share.
final class DecodingSession {
    /// More problems than this are not collected: no one reads them, and a large array of the wrong type has as many as
    /// elements.
    static let problemLimit = 100

    let context: DecodingContext
    /// The path of the root of what is decoded.
    let path: String
    /// Whether problems are collected, each answered with a placeholder so that decoding goes on to the next.
    private let isCollecting: Bool
    private(set) var problems: [PropertiesProblem] = []
    /// How many placeholders are being made; what goes wrong within them is no problem of the settings.
    private var inventions = 0
    /// The last error that is not this package's own, and what it stands for.
    private var foreign: ForeignError?

    /// An error of a type's own initializer; it keeps no decoder, which would keep the session.
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

    /// Whether a placeholder is being made, from a node that has nothing.
    var isInventing: Bool { inventions > 0 }

    /// Throws an error; while collecting, notes it and gives a placeholder, where the type has one.
    @inline(never)
    func recover<Value: Decodable>(_ error: any Error, as type: Value.Type) throws -> Value {
        guard isCollecting, problems.count < Self.problemLimit - 1,
            let placeholder = Placeholder.value(type, in: self)
        else { throw error }
        note(error)
        return placeholder
    }

    /// Runs a piece of decoding whose problems do not count; gives up on types that contain themselves without end.
    func invent<Value>(_ body: () throws -> Value) -> Value? {
        guard inventions < 16 else { return nil }
        inventions += 1
        defer { inventions -= 1 }
        return try? body()
    }

    /// Takes in the problems of an error.
    func note(_ error: any Error) {
        guard !isInventing else { return }
        for problem in problems(of: error) where !problems.contains(problem) {
            problems.append(problem)
        }
        foreign = nil
    }

    /// Remembers where a foreign error came from: from the innermost decoder that sees it.
    func noteForeign(_ error: any Error, at decoder: NodeDecoder) {
        guard !isInventing else { return }
        let path = decoder.path()
        let text = ForeignErrorText.of(error)
        if let foreign, foreign.text == text, foreign.path.hasPrefix(path) { return }
        foreign = ForeignError(path: path, text: text, problem: decoder.refusal(reason: text))
    }

    /// The problems that an error stands for.
    func problems(of error: any Error) -> [PropertiesProblem] {
        if let error = error as? PropertiesError { return error.problems }
        if let error = error as? DecodingError, let known = error.context.underlyingError as? PropertiesError {
            return known.problems
        }
        return foreign.map { [$0.problem] } ?? []
    }
}
