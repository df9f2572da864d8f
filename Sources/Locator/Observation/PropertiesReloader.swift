internal import LocatorProperties

/// When properties are loaded again.
public struct ReloadTrigger: Sendable {
    /// Waits until it is time to look; throws where the task is cancelled.
    fileprivate let wait: @Sendable () async throws -> Void

    /// Where a file that was loaded has other bytes than before, or its link leads to other ones.
    ///
    /// All files are read again each time, because a date or a number of a file tells little of a mounted volume.
    ///
    /// - Parameters:
    ///   - interval: How long to wait before looking, and between looking; more than zero.
    ///   - clock: The clock to wait with; a test hands in one of its own.
    public static func changes(
        every interval: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> ReloadTrigger {
        precondition(
            interval > .zero, "The interval must be greater than zero, but is \(interval)")
        return ReloadTrigger { try await clock.sleep(for: interval) }
    }
}

/// Loads the properties of a context again whenever their files have changed, while it runs.
///
/// ```swift
/// let reloader = context.reloadProperties(on: .changes(every: .seconds(5)))
/// Task { await reloader.run() }
/// ```
///
/// It does not keep the context alive. Its `run()` is what a service of a service group has, too.
public struct PropertiesReloader: Sendable {
    private let core: ContextCore
    private let trigger: ReloadTrigger
    private let isValidating: Bool

    fileprivate init(_ core: ContextCore, _ trigger: ReloadTrigger, isValidating: Bool) {
        self.core = core
        self.trigger = trigger
        self.isValidating = isValidating
    }

    /// Looks and reloads until the task is cancelled, or until it finds that the context has ended.
    ///
    /// What cannot be loaded is not taken over: the context keeps what it has, and its observers are told of
    /// ``ContextEvent/reloadFailed(_:)``, once for each change of the files. Where instances with asynchronous makers have
    /// been started, it reloads as ``AppContext/reloadAndStart(validating:)`` does. Variables of the environment are read again
    /// with the files, but are not looked at by themselves.
    public func run() async {
        var refused: ContextCore.RefusedFiles?
        while true {
            do { try await trigger.wait() } catch { return }
            if Task.isCancelled { return }
            guard await core.reloadChanges(isValidating: isValidating, refused: &refused) else { return }
        }
    }
}

extension AppContext {
    /// Loads the properties again whenever their files have changed, while the reloader runs.
    ///
    /// ```swift
    /// let reloader = context.reloadProperties(on: .changes(every: .seconds(5)), validating: true)
    /// Task { await reloader.run() }
    /// ```
    ///
    /// - Parameters:
    ///   - trigger: When to load again.
    ///   - validating: Whether to refuse properties with which ``validate(profiles:)`` would find errors.
    /// - Returns: The reloader, whose `run()` does the work.
    public func reloadProperties(on trigger: ReloadTrigger, validating: Bool = false) -> PropertiesReloader {
        PropertiesReloader(core, trigger, isValidating: validating)
    }
}

extension ContextCore {
    /// Files that were not taken over, and the properties that the context has kept.
    struct RefusedFiles {
        fileprivate let reads: FileReads
        fileprivate let revision: UInt
    }

    /// Loads the properties again where files are others than those that were taken over or refused last.
    ///
    /// Gives false where the context has ended.
    fileprivate func reloadChanges(isValidating: Bool, refused: inout RefusedFiles?) async -> Bool {
        let present = locked { isClosed ? nil : (reads: fileReads, revision: state.lineup.baseRevision) }
        guard let present else { return false }
        // After another load it does not matter what was refused before.
        let last = refused.flatMap { $0.revision == present.revision ? $0.reads : nil } ?? present.reads
        if last.isUnchanged { return true }
        refused = nil
        var reads = FileReads()
        do {
            if preparedSlots.isEmpty {
                try await reloadProperties(validating: isValidating, noting: &reads)
            } else {
                try await reloadAndStart(validating: isValidating, noting: &reads)
            }
            return true
        } catch {
            if Task.isCancelled { return false }
            switch (error as? LocatorError)?.kind {
            case .contextGone: return false
            // They were taken over, and the observers know of the hooks.
            case .hooksFailed: return true
            default:
                refused = RefusedFiles(reads: reads, revision: locked { state.lineup.baseRevision })
                tell(.reloadFailed(error))
                return true
            }
        }
    }
}
