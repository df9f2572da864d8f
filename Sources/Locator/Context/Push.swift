/// A push of modules, to be popped.
///
/// ```swift
/// let push = try context.push(fakes)
/// defer { push.pop() }
/// ```
///
/// It pops exactly what it pushed, whatever is pushed and popped in between. If the push throws, a `defer` below it
/// never runs, so nothing else is popped by mistake.
public struct Push: Sendable {
    /// The context into which the modules were pushed.
    public let context: AppContext

    /// The sequence numbers of the pushed roots; nil if nothing was pushed.
    private let sequences: ClosedRange<UInt>?

    init(context: AppContext, sequences: ClosedRange<UInt>?) {
        self.context = context
        self.sequences = sequences
    }

    /// Pops the push.
    ///
    /// If it was popped already, nothing happens.
    ///
    /// It does not throw, so that it can stand in a `defer`. If it is called inside a factory closure, it stops the
    /// program, as ``AppContext/pop(fileID:line:)`` does.
    ///
    /// - Returns: The errors of dispose hooks, or nil if there were none.
    @discardableResult
    public func pop(fileID: StaticString = #fileID, line: UInt = #line) -> LocatorError? {
        if context.core.isClosed { return nil }
        context.core.stopUnlessMayPop(fileID, line)
        return context.core.pop(sequences).error(at: SourcePlace(fileID: fileID, line: line))
    }
}

extension Push: CustomReflectable {
    /// An empty mirror, so that `dump` and other reflection show nothing of the context.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension [HookFailure] {
    /// The error with all failures of hooks; nil if there are none.
    func error(at location: SourcePlace) -> LocatorError? {
        isEmpty ? nil : LocatorError(.hooksFailed(self), at: location)
    }

    /// Throws if hooks failed.
    func check(at location: SourcePlace) throws(LocatorError) {
        if let error = error(at: location) { throw error }
    }
}
