/// A push of modules.
///
/// Use it to pop them.
///
/// ```swift
/// let push = try context.push(fakes)
/// defer { push.pop() }
/// ```
///
/// It pops exactly what it pushed, whatever is pushed and popped in between. If a push throws, a `defer` after it never
/// runs, so nothing else is popped by mistake.
public struct Push: Sendable {
    /// The context of the push.
    public let context: AppContext

    /// The numbers of what was pushed; nil where that was nothing.
    private let sequences: ClosedRange<UInt>?

    init(context: AppContext, sequences: ClosedRange<UInt>?) {
        self.context = context
        self.sequences = sequences
    }

    /// Pops the pushed modules.
    ///
    /// Does nothing if they are already popped.
    ///
    /// It does not throw, so you can call it in a `defer`. Inside a factory closure, it stops the program, like
    /// ``AppContext/pop(fileID:line:)``.
    ///
    /// - Returns: The errors of dispose hooks; nil if there are none.
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
