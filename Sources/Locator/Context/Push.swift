/// What `push` gives back: the push, to be popped.
///
/// ```swift
/// let push = try context.push(fakes)
/// defer { push.pop() }
/// ```
///
/// It takes off exactly what it pushed, whatever is pushed and popped in between. A `defer` below a push that throws never
/// runs, so nothing else is popped by mistake.
public struct Push: Sendable {
    /// The context into which the modules were pushed.
    public let context: AppContext

    /// The numbers of what was pushed; nil where that was nothing.
    private let sequences: ClosedRange<UInt>?

    init(context: AppContext, sequences: ClosedRange<UInt>?) {
        self.context = context
        self.sequences = sequences
    }

    /// Takes off what was pushed; where that is done already, nothing happens.
    ///
    /// It throws nothing, so that it can stand in a `defer`. Called from inside a maker, it stops the program, as
    /// ``AppContext/pop(fileID:line:)`` does.
    ///
    /// - Returns: What dispose hooks threw; nil where none did.
    @discardableResult
    public func pop(fileID: StaticString = #fileID, line: UInt = #line) -> LocatorError? {
        if context.core.isClosed { return nil }
        context.core.stopUnlessMayPop(fileID, line)
        return context.core.pop(sequences).error(at: SourcePlace(fileID: fileID, line: line))
    }
}

extension Push: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension [HookFailure] {
    /// The error that says what hooks threw; nil where none did.
    func error(at location: SourcePlace) -> LocatorError? {
        isEmpty ? nil : LocatorError(.hooksFailed(self), at: location)
    }

    /// Throws what hooks threw.
    func check(at location: SourcePlace) throws(LocatorError) {
        if let error = error(at: location) { throw error }
    }
}
