internal import LocatorProperties

/// Reads settings, and loads the files that they come from.
extension ContextCore {
    /// Reads a path in the state of the request, and records it for whatever is being made.
    func readProperty(_ path: String, in session: Session?, on thread: ThreadRecord) -> PropertyReading {
        let recorder = thread.recorder(of: self)
        return locked {
            let state = session?.state ?? self.state
            let cell = tables.properties.cell(of: path, owner: self)
            let lookup = lookup(cell, in: state)
            recorder?.reads.add(cell, lookup)
            return PropertyReading(lookup: lookup, properties: state.properties)
        }
    }

    /// Whether a type would be decoded from the settings, but there is nothing at its path.
    func hasNothingToDecode(
        _ type: any ConfigProperty.Type, _ request: Request, in session: Session, on thread: ThreadRecord
    ) -> Bool {
        guard case .slot(let slot) = session.read(.single, request, on: thread), slot.isDecoded,
            case .success(nil) = readProperty(type.path, in: session, on: thread).lookup.result
        else { return false }
        return true
    }

    /// Decodes the value at a path.
    ///
    /// A decoder is foreign code. It runs in a request, without the lock.
    func property<Value: Decodable>(
        _ path: String, as type: Value.Type, default fallback: (() -> Value)? = nil, _ request: Request,
        inspecting inspect: ((PropertyLookup) -> Void)? = nil
    ) throws(LocatorError) -> Value {
        if let value = asChild?.leanValue(path, as: type, default: fallback, inspecting: inspect) { return value }
        return try inSession(request) { (session, thread) throws(LocatorError) in
            let reading = readProperty(path, in: session, on: thread)
            inspect?(reading.lookup)
            if case .success(nil) = reading.lookup.result {
                tell(.propertyMissing(path: path, request.location))
                if let fallback { return fallback() }
            }
            do throws(PropertiesError) {
                return try reading.value(as: type)
            } catch {
                let fix = Fix.setting(
                    error.problems, readAs: type, at: path, isRequired: inspect != nil, in: reading.properties)
                let failure = LocatorError(.properties(error), request, thread).noting([], betterFix: fix)
                // If there is something at the path, an optional type does not help.
                if case .success(nil) = reading.lookup.result { throw notingWhatIsLoaded(failure, reading.properties) }
                guard error.isAboutOneMissingValue else { throw failure }
                throw failure.noting(
                    ["it is part of \(typeName(type)), which is decoded from \"\(path)\""], betterFix: fix)
            }
        }
    }

    /// The error about a missing setting, with a note if no settings are loaded at all.
    private func notingWhatIsLoaded(_ error: LocatorError, _ properties: Properties) -> LocatorError {
        let root = outermost
        let lineup = root.locked { root.state.lineup }
        guard lineup.loadedSettings.sources.isEmpty, properties.isEmpty else { return error }
        let isWrapper = ThreadRecord.current.requester?.isWrapper ?? false
        let isEmptyShared = root === AppContext.shared.core && lineup.roots.isEmpty
        return error.noting(
            ["no settings are loaded in \(root.nameInNotes)"],
            betterFix: isEmptyShared
                ? Fix.enteringAContextWithSettings(isWrapper: isWrapper) : Fix.loadingSettings)
    }

    /// The key of a type and a qualifier.
    ///
    /// The qualifier may be the text at a path.
    func key(_ type: any Any.Type, _ qualifier: Qualifier?, _ request: Request) throws(LocatorError) -> Key {
        guard let path = qualifier?.path else { return Key(type, qualifier: qualifier?.name) }
        var isSecret = false
        do throws(LocatorError) {
            let name = try property(path, as: String.self, request) { isSecret = $0.isMasked }
            return Key(type, qualifier: name, hidesQualifier: isSecret)
        } catch {
            let key = Key(DeclaredDependency(request.key.type).type)
            let qualifiers = locked { state }.lineup.names.registrations(of: key.type)?.qualifiers ?? []
            let isName = qualifiers.contains(path)
            let known = qualifiers.isEmpty ? "" : ", registered as \(Shortlist(qualifiers).quoted(by: ", "))"
            throw error.noting(
                error.notes + ["its value is the qualifier of \(key)\(known)"],
                betterFix: isName ? Fix.namingTheQualifier(path) : error.betterFix)
        }
    }

    /// Reads files and loads them over what was loaded before.
    func loadProperties(_ source: PropertiesSource) throws(LocatorError) {
        try checkMayChange("loadProperties")
        if isChild { throw LocatorError(.propertiesLoadedInChild) }
        var reads = FileReads()
        var source = source
        source.knownSecrets = locked { state.properties }.listedSecrets
        let loaded = try LocatorError.wrapping { () throws(PropertiesError) in try source.load(noting: &reads) }
        let (known, read) = (source, reads)
        try replaceBase { (basis) throws(LocatorError) in
            try LocatorError.wrapping { () throws(PropertiesError) in
                var new = basis.lineup.loadedSettings
                let number = basis.lineup.baseRevision + 1
                try new.append(.init(number: number, reading: number, source: known, properties: loaded, reads: read))
                return new
            }
        }
    }

    /// Notifies observers of the current profiles and files.
    private func tellProperties() {
        let properties = locked { state.properties }
        tell(
            .propertiesLoaded(
                profiles: properties.profiles, from: properties.places,
                warnings: properties.profileWarnings + properties.fileWarnings.map(\.message)))
    }

    /// Reads all files again, for other profiles if they are given.
    ///
    /// If a file fails, nothing changes. In a fork, instances of scope `.always` are made on demand. With `validating`,
    /// settings are rejected if the context would have errors with them.
    func reloadProperties(
        profiles: ProfileList? = nil, makesAlways: Bool = true, validating: Bool = false
    ) throws(LocatorError) {
        try checkMayChange("reloadProperties")
        var reads = FileReads()
        var read: ReadAgain?
        try replaceBase(makesAlways: makesAlways, validating: validating) { (basis) throws(LocatorError) in
            try readAgain(&read, for: basis, profiles: profiles, noting: &reads)
        }
    }

    /// Reads all files again.
    ///
    /// Unlike the synchronous form, this function makes `.always` instances on the main actor if they need it. It also
    /// notes the files that it reads, even if it fails.
    func reloadProperties(validating: Bool, noting reads: inout FileReads) async throws(LocatorError) {
        try checkMayChange("reloadProperties")
        var read: ReadAgain?
        var isReplaced = false
        while !isReplaced {
            let basis = locked { state }
            let new = try readAgain(&read, for: basis, noting: &reads)
            if validating { try checkWiring(with: new) }
            isReplaced = try await replace(by: new) {
                Self.isExpected($0, since: basis, validating: validating)
            }
        }
    }

    /// Whether the context may take over settings that were computed and checked in an earlier state.
    private static func isExpected(
        _ state: ContextState, since basis: ContextState, validating: Bool
    ) -> Bool {
        // The context takes over exactly what was checked.
        validating ? state === basis : state.lineup.baseRevision == basis.lineup.baseRevision
    }

    /// Settings that were read again, and the load that their files belong to.
    typealias ReadAgain = (settings: LoadedSettings, revision: UInt)

    /// Reads all files of a state again, unless they were read for the same load.
    ///
    /// Notes what it reads, even if it fails.
    func readAgain(
        _ known: inout ReadAgain?, for basis: ContextState, profiles: ProfileList? = nil, noting reads: inout FileReads
    ) throws(LocatorError) -> LoadedSettings {
        if isChild { throw LocatorError(.propertiesLoadedInChild) }
        // If another thread has loaded settings since then, there may be other files.
        if let known, known.revision == basis.lineup.baseRevision { return known.settings }
        reads = FileReads()
        let old = basis.lineup.loadedSettings.parts
        let settings = try LocatorError.wrapping { () throws(PropertiesError) in
            if old.isEmpty { return LoadedSettings(try Properties(profiles: profiles)) }
            var new: [LoadedSettings.Part] = []
            var secrets = basis.properties.listedSecrets
            for part in old {
                var source = part.source
                if let profiles { source.profiles = profiles }
                source.knownSecrets = secrets
                var partReads = FileReads()
                defer { reads.add(partReads) }
                let properties = try source.load(noting: &partReads)
                secrets += properties.listedSecrets
                new.append(
                    .init(
                        number: part.number, reading: basis.lineup.baseRevision + 1, source: source,
                        properties: properties, reads: partReads))
            }
            return try LoadedSettings(new)
        }
        known = (settings, basis.lineup.baseRevision)
        return settings
    }

    /// Replaces the settings of the files, and ends the instances that this affects.
    ///
    /// The new settings are computed without the lock, and again if another thread was faster.
    private func replaceBase(
        makesAlways: Bool = true, validating: Bool = false,
        _ compute: (ContextState) throws(LocatorError) -> LoadedSettings
    ) throws(LocatorError) {
        while true {
            let basis = locked { state }
            let new = try compute(basis)
            if validating { try checkWiring(with: new) }
            let begun = try beginReplacing(by: new) { Self.isExpected($0, since: basis, validating: validating) }
            guard let replaced = begun else { continue }
            do throws(LocatorError) {
                for module in replaced.activated where makesAlways {
                    try makeAlways(of: module, location: module.module.location)
                }
            } catch {
                takeBack(replaced)
                throw error
            }
            return try endReplacing(replaced)
        }
    }

    /// Takes over other settings, and ends the instances that they affect.
    ///
    /// Makes instances of scope `.always`, on the main actor if they need it. Returns false if the context has changed
    /// in the meantime.
    ///
    /// - Parameters:
    ///   - new: The settings to take over.
    ///   - preparation: What was made for the new settings in advance.
    ///   - isExpected: Whether the current state is the one that the settings were computed in. The lock is held.
    @inline(never)
    func replace(
        by new: LoadedSettings, prepared preparation: Preparation? = nil,
        where isExpected: (ContextState) -> Bool
    ) async throws(LocatorError) -> Bool {
        guard let replaced = try beginReplacing(by: new, prepared: preparation, where: isExpected) else { return false }
        do throws(LocatorError) {
            for module in replaced.activated {
                try await makeAlwaysAnywhere(of: module, location: module.module.location)
            }
        } catch {
            takeBack(replaced)
            throw error
        }
        try endReplacing(replaced)
        return true
    }

    /// Takes over other settings so that this can be undone, or returns nil if the context has changed in the meantime.
    private func beginReplacing(
        by new: LoadedSettings, prepared preparation: Preparation? = nil, where isExpected: (ContextState) -> Bool
    ) throws(LocatorError) -> Replaced? {
        try locked { () throws(LocatorError) -> Replaced? in
            // Its last user may have released it while the files were read.
            if isClosed { throw goneError() }
            guard isExpected(state) else { return nil }
            let before = state
            let number = before.lineup.baseRevision + 1
            family.disposeLater(of: exchangeBase(new, asLoad: number), in: self)
            preparation?.enterContext()
            return Replaced(
                activated: state.lineup.modulesInForce(butNotIn: before.lineup), number: number)
        }
    }

    /// Whether changes of the settings may still be undone.
    ///
    /// The caller holds the lock.
    var hasTentativeLoads: Bool { !tentativeLoads.isEmpty }

    /// Undoes a load of the settings.
    ///
    /// Instances that the new settings affected were set aside, and come back. Later loads are taken over again,
    /// without this one.
    private func takeBack(_ replaced: Replaced) {
        let gone = locked { () -> [Instance] in
            guard let index = tentativeLoads.firstIndex(where: { $0.number == replaced.number }) else { return [] }
            let failed = tentativeLoads[index]
            let later = tentativeLoads[(index + 1)...].map { ($0, settings(afterLoad: $0.number)) }
            tentativeLoads.removeSubrange(index...)
            var gone = exchangeBase(failed.before, isTentative: true)
            for (load, settings) in later {
                gone += exchangeBase(settings.without(failed), asLoad: load.number, isFinal: load.isFinal)
            }
            return gone + endTentative()
        }
        dispose(of: gone)
    }

    /// The settings without the loads that may still be undone, and their number.
    var settledSettings: (LoadedSettings, UInt) {
        let open = tentativeLoads.filter { !$0.isFinal }
        guard let first = open.first else { return (state.lineup.loadedSettings, state.lineup.baseRevision) }
        guard let last = tentativeLoads.last(where: \.isFinal), last.number > first.number else {
            return (first.before, first.numberBefore)
        }
        let next = tentativeLoads.first { $0.number > last.number }
        let earlier = open.reversed().filter { $0.number < last.number }
        return (
            earlier.reduce(settings(afterLoad: last.number)) { $0.without($1) },
            next?.numberBefore ?? state.lineup.baseRevision
        )
    }

    /// The settings after a load that may still be undone.
    private func settings(afterLoad number: UInt) -> LoadedSettings {
        tentativeLoads.first { $0.number > number }?.before ?? state.lineup.loadedSettings
    }

    /// Ends the instances that the loads of the settings have affected, if none of the loads may still be undone.
    ///
    /// Until then, no follower of a setting sees the new settings. The caller holds the lock.
    private func endTentative() -> [Instance] {
        if !tentativeLoads.allSatisfy(\.isFinal) { return [] }
        let isReplaced = hasTentativeLoads
        tentativeLoads = []
        family.followers.wake(self)
        let gone = endWhatCannotReturn()
        noteReplaced(gone)
        if isReplaced {
            // This comes first for children, because keeping instances for requests may let children follow.
            keepForChildren(gone)
            keepForRequests(gone)
        }
        return gone
    }

    /// Keeps the new settings, and ends the instances that they affect.
    private func endReplacing(_ replaced: Replaced) throws(LocatorError) {
        let gone = locked {
            if let index = tentativeLoads.firstIndex(where: { $0.number == replaced.number }) {
                tentativeLoads[index].isFinal = true
            }
            return endTentative()
        }
        let errors = dispose(of: gone)
        tellProperties()
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }

    /// Throws if the context would have errors with other settings.
    func checkWiring(with settings: LoadedSettings) throws(LocatorError) {
        let fork = AppContext(snapshotOf: self)
        _ = fork.core.locked { fork.core.exchangeBase(settings) }
        let report = fork.validate(asSnapshotOf: self)
        if !report.errors.isEmpty { throw LocatorError(.validationFailed(report)) }
    }

    /// The result of an exchange of the settings.
    private struct Replaced {
        /// The modules whose conditions are true now and were false before.
        let activated: [LoadedModule]
        /// Identifies the load.
        let number: UInt
    }

    /// Takes over the settings of a load that may still be undone, or that comes after one.
    ///
    /// The caller holds the lock.
    private func exchangeBase(_ settings: LoadedSettings, asLoad number: UInt, isFinal: Bool = false) -> [Instance] {
        let old = state.lineup
        tentativeLoads.append(
            TentativeLoad(
                number: number, before: old.loadedSettings, numberBefore: old.baseRevision, isFinal: isFinal))
        return exchangeBase(settings, isTentative: true)
    }

    /// Takes over other settings, and returns the instances that have left the context permanently.
    ///
    /// The caller holds the lock.
    private func exchangeBase(_ settings: LoadedSettings, isTentative: Bool = false) -> [Instance] {
        apply(
            newState(state.lineup.replacingBase(settings, revision: state.lineup.baseRevision + 1)),
            isTentative: isTentative)
    }
}

/// What a read of a setting found.
struct PropertyReading {
    let lookup: PropertyLookup
    let properties: Properties

    func value<Value: Decodable>(as type: Value.Type) throws(PropertiesError) -> Value {
        try properties.value(of: lookup, as: type)
    }
}

extension LocatorError {
    /// Runs `body`, which works with settings, and throws its error as a `LocatorError`.
    static func wrapping<Result>(_ body: () throws(PropertiesError) -> Result) throws(LocatorError) -> Result {
        do throws(PropertiesError) {
            return try body()
        } catch {
            throw LocatorError(.properties(error))
        }
    }
}
