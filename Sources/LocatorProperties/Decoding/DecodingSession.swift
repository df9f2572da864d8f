/// One attempt to decode a type: what its decoders share.
final class DecodingSession {
    /// More problems than this are not collected: nobody reads them, and a large array of the wrong type has as many as
    /// elements.
    static let problemLimit = 100

    let context: DecodingContext
    /// The path of the root of what is decoded.
    let path: String
    /// Whether problems are collected, each answered with a placeholder so that decoding goes on to the next.
    private let isCollecting: Bool
    private(set) var problems: [PropertiesProblem] = []
    /// How many placeholders are being made; what goes wrong within them is no problem of the properties.
    private var inventions = 0
    /// Where the last error that is not this package's own came from.
    private var origin: NodeDecoder?

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
        origin = nil
    }

    /// Remembers where a foreign error came from: at the innermost decoder that sees it.
    func noteOrigin(of decoder: NodeDecoder) {
        guard !isInventing else { return }
        var above = origin
        while let current = above {
            if current === decoder { return }
            above = current.parent
        }
        origin = decoder
    }

    /// The problems that an error stands for.
    func problems(of error: any Error) -> [PropertiesProblem] {
        if let error = error as? PropertiesError { return error.problems }
        if let error = error as? DecodingError, let known = error.context.underlyingError as? PropertiesError {
            return known.problems
        }
        let reason = (error as? DecodingError)?.context.debugDescription ?? "\(error)"
        guard let origin else {
            return [PropertiesProblem(.value(.refused(type: "The type", reason: reason)), path: path)]
        }
        let type = TypeName.of(origin.target)
        let refusal = origin.failure(.refused(type: type, reason: origin.masked(reason)), at: origin.node)
        return (refusal.context.underlyingError as? PropertiesError)?.problems ?? []
    }
}
