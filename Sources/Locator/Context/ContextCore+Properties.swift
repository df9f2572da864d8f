internal import LocatorProperties

/// Reading properties, and loading the files they come from.
extension ContextCore {
    /// What the state of the request has at a path, noted in the record of whatever is being made.
    func readProperty(_ path: String, in session: Session?, on thread: ThreadRecord) -> PropertyReading {
        let recorder = thread.recorder(of: self)
        return locked {
            let state = session?.state ?? self.state
            let cell = properties.cell(of: path, owner: self)
            let lookup = lookup(cell, in: state)
            recorder?.reads.add(cell, lookup)
            return PropertyReading(lookup: lookup, properties: state.properties)
        }
    }

    /// Whether a type would be decoded from the properties, and there is nothing at its path.
    func hasNothingToDecode(
        _ type: any ConfigProperty.Type, _ request: Request, in session: Session, on thread: ThreadRecord
    ) -> Bool {
        let query = Cell.Query(kind: .single, qualifier: request.key.qualifier)
        guard case .slot(let slot) = read(type, query, request, in: session, on: thread), slot.record.run == nil,
            case .success(nil) = readProperty(type.path, in: session, on: thread).lookup.result
        else { return false }
        return true
    }

    /// The value at a path, decoded.
    ///
    /// Decoders are foreign code: they run in a request, without the lock.
    func property<Value: Decodable>(
        _ path: String, as type: Value.Type, default fallback: (() -> Value)? = nil, _ request: Request,
        inspecting inspect: ((PropertyLookup) -> Void)? = nil
    ) throws(LocatorError) -> Value {
        try inSession(request) { (session, thread) throws(LocatorError) in
            let reading = readProperty(path, in: session, on: thread)
            inspect?(reading.lookup)
            if case .success(nil) = reading.lookup.result {
                tell(.propertyMissing(path: path, request.location))
                if let fallback { return fallback() }
            }
            do throws(PropertiesError) {
                return try reading.value(as: type)
            } catch {
                let failure = LocatorError(.properties(error), request, thread)
                // Where there is something at the path, an optional is no way out.
                if case .success(nil) = reading.lookup.result { throw notingWhatIsLoaded(failure, reading.properties) }
                guard error.isAboutOneMissingValue else { throw failure }
                throw failure.noting(["it is part of \(typeName(type)), which is decoded from \"\(path)\""])
            }
        }
    }

    /// The error about a missing property, with a note where no settings are loaded at all.
    private func notingWhatIsLoaded(_ error: LocatorError, _ properties: Properties) -> LocatorError {
        let root = outermost
        guard root.locked({ root.sources.isEmpty }), properties.paths.isEmpty else { return error }
        return error.noting(["no settings are loaded in \(root.nameInNotes)"], betterFix: Fix.loadingSettings)
    }

    /// The key of a type and a qualifier, which may be the text at a path.
    func key(_ type: any Any.Type, _ qualifier: Qualifier?, _ request: Request) throws(LocatorError) -> Key {
        switch qualifier?.content {
        case nil: return Key(type)
        case .name(let name): return Key(type, qualifier: name)
        case .property(let path):
            var isSecret = false
            do throws(LocatorError) {
                let name = try property(path, as: String.self, request) { isSecret = $0.isMasked }
                return Key(type, qualifier: name, hidesQualifier: isSecret)
            } catch {
                let qualifiers = qualifiers(of: request.key.type)
                let isName = qualifiers.contains("\"\(path)\"")
                let known = qualifiers.isEmpty ? "" : ", registered as \(qualifiers.joined(separator: ", "))"
                throw error.noting(
                    error.notes + ["its value is the qualifier of \(request.key)\(known)"],
                    betterFix: isName ? Fix.namingTheQualifier(path) : error.betterFix)
            }
        }
    }

    /// Reads files and lays them over what was loaded before.
    func loadProperties(_ source: PropertiesSource) throws(LocatorError) {
        try checkMayChange("loadProperties")
        if isChild { throw LocatorError(.propertiesLoadedInChild) }
        var reads = FileReads()
        let loaded = try load(source, noting: &reads)
        let read = reads
        try replaceBase { base throws(PropertiesError) in
            var new = base
            new.properties = base.sources.isEmpty ? loaded : try base.properties.overlaid(by: loaded)
            new.sources.append(source)
            new.reads.add(read)
            return new
        }
        tellProperties()
    }

    /// Tells observers which profiles and files count now.
    func tellProperties() {
        let properties = locked { state.properties }
        tell(
            .propertiesLoaded(
                profiles: properties.profiles, from: properties.places, warnings: properties.profileWarnings))
    }

    /// Reads all files again, for other profiles where they are given.
    ///
    /// If any fails, nothing changes. In a fork, instances of scope `.always` are made on demand. Where it validates,
    /// properties under which the context has errors are refused.
    func reloadProperties(
        profiles: ProfileList? = nil, makesAlways: Bool = true, validating: Bool = false
    ) throws(LocatorError) {
        var reads = FileReads()
        try reloadProperties(profiles: profiles, makesAlways: makesAlways, validating: validating, noting: &reads)
    }

    /// The same; notes what it reads, also where it fails.
    func reloadProperties(
        profiles: ProfileList? = nil, makesAlways: Bool = true, validating: Bool = false, noting reads: inout FileReads
    ) throws(LocatorError) {
        try checkMayChange("reloadProperties")
        let reloaded = try readAgain(profiles: profiles, noting: &reads)
        try replaceBase(makesAlways: makesAlways, validating: validating) { _ in reloaded }
        tellProperties()
    }

    /// The same; what has to be made on the main actor is made there.
    func reloadProperties(validating: Bool, noting reads: inout FileReads) async throws(LocatorError) {
        try checkMayChange("reloadProperties")
        let new = try readAgain(noting: &reads)
        var isReplaced = false
        while !isReplaced {
            let (old, basis) = present
            if validating { try checkWiring(with: new.properties) }
            isReplaced = try await replace(old, by: new) { Self.isExpected($0, since: basis, validating: validating) }
        }
        tellProperties()
    }

    /// Whether properties may be taken over that were computed, and checked, in an earlier state.
    private static func isExpected(
        _ state: ContextState, since basis: ContextState, validating: Bool
    ) -> Bool {
        // What was checked is what is taken over.
        validating ? state === basis : state.lineup.baseRevision == basis.lineup.baseRevision
    }

    /// Reads all files again; notes what it reads, also where it fails.
    func readAgain(profiles: ProfileList? = nil, noting reads: inout FileReads) throws(LocatorError) -> Loaded {
        if isChild { throw LocatorError(.propertiesLoadedInChild) }
        var sources = locked { self.sources }
        if let profiles {
            for index in sources.indices { sources[index].profiles = profiles }
        }
        var properties: Properties?
        for source in sources {
            let loaded = try load(source, noting: &reads)
            do throws(PropertiesError) {
                properties = try properties?.overlaid(by: loaded) ?? loaded
            } catch {
                throw LocatorError(.properties(error))
            }
        }
        do throws(PropertiesError) {
            let all = if let properties { properties } else { try Properties(profiles: profiles) }
            return Loaded(properties: all, sources: sources, reads: reads)
        } catch {
            throw LocatorError(.properties(error))
        }
    }

    private func load(_ source: PropertiesSource, noting reads: inout FileReads) throws(LocatorError) -> Properties {
        do throws(PropertiesError) {
            return try source.load(noting: &reads)
        } catch {
            throw LocatorError(.properties(error))
        }
    }

    /// What is loaded from files.
    struct Loaded {
        var properties: Properties
        var sources: [PropertiesSource]
        /// What was read for it.
        var reads: FileReads
    }

    /// What is loaded, and the state of the same moment.
    var present: (loaded: Loaded, state: ContextState) {
        locked { (Loaded(properties: state.lineup.base, sources: sources, reads: fileReads), state) }
    }

    /// Exchanges the files' properties; computed without the lock, and again where another thread was faster.
    private func replaceBase(
        makesAlways: Bool = true, validating: Bool = false, _ compute: (Loaded) throws(PropertiesError) -> Loaded
    ) throws(LocatorError) {
        var isReplaced = false
        while !isReplaced {
            let (old, state) = present
            let new: Loaded
            do throws(PropertiesError) {
                new = try compute(old)
            } catch {
                throw LocatorError(.properties(error))
            }
            if validating { try checkWiring(with: new.properties) }
            isReplaced = try replace(old, by: new, makesAlways: makesAlways) {
                Self.isExpected($0, since: state, validating: validating)
            }
        }
    }

    /// Takes over other properties, and ends what they change; gives false where the context is not as expected any more.
    ///
    /// - Parameters:
    ///   - old: What is loaded.
    ///   - new: What is taken over.
    ///   - makesAlways: Whether instances of scope `.always` are made.
    ///   - isExpected: Whether the present state is the one that was looked at; the lock is held.
    private func replace(
        _ old: Loaded, by new: Loaded, makesAlways: Bool, where isExpected: (ContextState) -> Bool
    ) throws(LocatorError) -> Bool {
        guard let replaced = beginReplacing(by: new, where: isExpected) else { return false }
        do throws(LocatorError) {
            for module in replaced.activated where makesAlways {
                try makeAlways(of: module, location: module.module.location)
            }
        } catch {
            takeBack(replaced, to: old)
            throw error
        }
        try endReplacing()
        return true
    }

    /// The same; what has to be made on the main actor is made there.
    func replace(
        _ old: Loaded, by new: Loaded, prepared preparation: Preparation? = nil,
        where isExpected: (ContextState) -> Bool
    ) async throws(LocatorError) -> Bool {
        guard let replaced = beginReplacing(by: new, prepared: preparation, where: isExpected) else { return false }
        do throws(LocatorError) {
            for module in replaced.activated {
                try await makeAlwaysAnywhere(of: module, location: module.module.location)
            }
        } catch {
            takeBack(replaced, to: old)
            throw error
        }
        try endReplacing()
        return true
    }

    /// Takes over other properties so that they can be taken back, or gives nil where the context is not as expected.
    private func beginReplacing(
        by new: Loaded, prepared preparation: Preparation? = nil, where isExpected: (ContextState) -> Bool
    ) -> Replaced? {
        locked {
            guard isExpected(state) else { return nil }
            let before = state
            if tentativeCount == 0 { settledBase = (before.lineup.base, before.lineup.baseRevision) }
            tentativeCount += 1
            (sources, fileReads) = (new.sources, new.reads)
            _ = exchangeBase(new.properties, isTentative: true)
            if let preparation { adopt(preparation) }
            return Replaced(
                activated: state.lineup.modulesInForce(butNotIn: before.lineup), revision: state.lineup.baseRevision)
        }
    }

    /// Takes other properties back.
    ///
    /// What they affect was set aside, and comes back. Properties that another thread has loaded since stay.
    private func takeBack(_ replaced: Replaced, to old: Loaded) {
        let gone = locked { () -> [Instance] in
            endTentative()
            var gone: [Instance]
            if state.lineup.baseRevision == replaced.revision {
                (sources, fileReads) = (old.sources, old.reads)
                gone = exchangeBase(old.properties)
            } else {
                gone = endWhatCannotReturn()
            }
            noteReplaced(gone)
            return gone
        }
        dispose(of: gone)
    }

    /// Keeps other properties, and ends what they change.
    private func endReplacing() throws(LocatorError) {
        let gone = locked {
            endTentative()
            let gone = endWhatCannotReturn()
            noteReplaced(gone)
            keepForRequests(gone)
            keepForChildren(gone)
            return gone
        }
        let errors = dispose(of: gone)
        if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
    }

    /// Throws where the context would have errors with other properties.
    func checkWiring(with properties: Properties) throws(LocatorError) {
        let fork = privateFork()
        _ = fork.core.locked { fork.core.exchangeBase(properties) }
        let report = report(on: fork)
        if !report.errors.isEmpty { throw LocatorError(.validationFailed(report)) }
    }

    /// What an exchange of the properties has done.
    private struct Replaced {
        /// The modules whose conditions hold now and did not before.
        let activated: [LoadedModule]
        /// Tells the properties from those of other loads.
        let revision: UInt
    }

    /// Takes over other properties, and gives what has left the context for good.
    ///
    /// The caller holds the lock.
    private func exchangeBase(_ properties: Properties, isTentative: Bool = false) -> [Instance] {
        apply(
            newState(state.lineup.replacingBase(properties, revision: state.lineup.baseRevision + 1)),
            isTentative: isTentative)
    }
}

/// What a read of a property found.
struct PropertyReading {
    let lookup: PropertyLookup
    let properties: Properties

    func value<Value: Decodable>(as type: Value.Type) throws(PropertiesError) -> Value {
        try properties.value(of: lookup, as: type)
    }
}
