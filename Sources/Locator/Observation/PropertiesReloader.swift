internal import LocatorProperties

/// A trigger that decides when settings are reloaded.
public struct ReloadTrigger: Sendable {
    /// A function that waits until the next check.
    ///
    /// It throws an error if the task is canceled.
    fileprivate let wait: @Sendable () async throws -> Void

    /// Returns a trigger that reloads when the contents of a loaded file change, or when its link leads to other
    /// contents.
    ///
    /// All files are read on each check, because dates and file numbers are not reliable on mounted volumes.
    ///
    /// - Parameters:
    ///   - interval: The time before the first check and between checks. It must be greater than zero.
    ///   - clock: The clock to wait with. A test can pass its own.
    public static func changes(
        every interval: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> ReloadTrigger {
        precondition(interval > .zero, "The interval must be greater than zero, but is \(interval)")
        return ReloadTrigger { try await clock.sleep(for: interval) }
    }
}

/// A service that reloads the settings of a context whenever their files have changed.
///
/// ```swift
/// let reloader = context.reloadProperties(on: .changes(every: .seconds(5)))
/// Task { await reloader.run() }
/// ```
///
/// A reloader does not keep its context alive. `run()` has the signature that a service group expects of a service.
public struct PropertiesReloader: Sendable, OpaqueToReflection {
    private let core: ContextCore
    private let trigger: ReloadTrigger
    private let isValidating: Bool

    fileprivate init(_ core: ContextCore, _ trigger: ReloadTrigger, isValidating: Bool) {
        self.core = core
        self.trigger = trigger
        self.isValidating = isValidating
    }

    /// Checks and reloads until the task is canceled or the context has ended.
    ///
    /// If the files cannot be loaded, the context keeps its settings, and its observers get
    /// ``ContextEvent/reloadFailed(_:)`` once for each change of the files. If instances with asynchronous factory
    /// closures have been started, the reloader reloads like ``AppContext/reloadAndStart(validating:)``. Environment
    /// variables are read again with the files, but their changes do not trigger a reload.
    public func run() async {
        var refused: RefusedFiles?
        while true {
            do { try await trigger.wait() } catch { return }
            if Task.isCancelled { return }
            guard await reloadChanges(refused: &refused) else { return }
        }
    }

    /// Files that were rejected, and the settings that the context has kept.
    private typealias RefusedFiles = (reads: FileReads, revision: UInt)

    /// Reloads the settings if the files differ from those that were loaded or rejected last.
    ///
    /// Returns false if the context has ended.
    private func reloadChanges(refused: inout RefusedFiles?) async -> Bool {
        let present = core.locked {
            let lineup = core.state.lineup
            return core.isClosed ? nil : (settings: lineup.loadedSettings, revision: lineup.baseRevision)
        }
        guard let present else { return false }
        // Rejections from before another load do not count.
        let last = refused.flatMap { $0.revision == present.revision ? $0.reads : nil } ?? present.settings.reads
        if last.isUnchanged { return true }
        var reads = FileReads()
        do {
            if core.preparedSlots().isEmpty {
                try await core.reloadProperties(validating: isValidating, noting: &reads)
            } else {
                try await core.reloadAndStart(validating: isValidating, noting: &reads)
            }
            return true
        } catch {
            if Task.isCancelled { return false }
            switch (error as? LocatorError)?.kind {
            // A factory closure may have used another context that has ended.
            case .contextGone where core.isClosed: return false
            // The settings were loaded, and the errors of the hooks were reported to the observers.
            case .hooksFailed: return true
            default:
                let lineup = core.locked { core.state.lineup }
                // If there are other settings now, another thread has loaded files that were not rejected.
                let isKept = lineup.base.isIdentical(to: present.settings.properties)
                refused = isKept ? (reads, lineup.baseRevision) : nil
                core.tell(.reloadFailed(error))
                return true
            }
        }
    }
}

extension AppContext {
    /// Creates a reloader, which reloads the settings whenever their files have changed.
    ///
    /// ```swift
    /// let reloader = context.reloadProperties(on: .changes(every: .seconds(5)), validating: true)
    /// Task { await reloader.run() }
    /// ```
    ///
    /// - Parameters:
    ///   - trigger: When to reload.
    ///   - validating: Whether to reject settings with which ``validate(profiles:)`` would report errors.
    /// - Returns: The reloader. Call its `run()`.
    public func reloadProperties(on trigger: ReloadTrigger, validating: Bool = false) -> PropertiesReloader {
        PropertiesReloader(core, trigger, isValidating: validating)
    }
}
