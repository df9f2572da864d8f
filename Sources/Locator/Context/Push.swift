/// A record of pushed modules, which pops them.
///
/// ```swift
/// let push = try context.push(fakes)
/// defer { push.pop() }
/// ```
///
/// `pop()` pops exactly the modules of this push, even if other modules are pushed and popped in between. If a push
/// throws, a `defer` after it never runs, so it does not pop an earlier push.
public struct Push: Sendable, OpaqueToReflection {
    /// The context of the push.
    public let context: AppContext

    /// The sequence numbers of the pushed roots; nil if nothing was pushed.
    let sequences: ClosedRange<UInt>?

    /// Pops the pushed modules.
    ///
    /// If they are already popped, nothing happens.
    ///
    /// This function does not throw, so you can call it in a `defer`. Inside a factory closure, it stops the program,
    /// like ``AppContext/pop(fileID:line:)``.
    ///
    /// - Returns: The errors of dispose hooks; nil if there are none.
    @discardableResult
    public func pop(fileID: StaticString = #fileID, line: UInt = #line) -> LocatorError? {
        let core = context.core
        if core.isClosed { return nil }
        core.stopInFactoryClosure("pop", fileID, line)
        return core.pop(sequences).error(at: SourcePlace(fileID: fileID, line: line))
    }
}
