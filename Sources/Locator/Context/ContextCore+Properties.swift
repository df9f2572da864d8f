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
                if case .success(nil) = reading.lookup.result { throw failure }
                guard error.isAboutOneMissingValue else { throw failure }
                throw failure.noting(["it is part of \(typeName(type)), which is decoded from \"\(path)\""])
            }
        }
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
                let qualifiers = Nearness(of: locked { state }, in: self).qualifiers(of: request.key.type)
                let known = qualifiers.isEmpty ? "" : ", registered as \(qualifiers.joined(separator: ", "))"
                throw error.noting(["its text is the qualifier of \(request.key)\(known)"])
            }
        }
    }

    /// Reads files and lays them over what was loaded before.
    func loadProperties(_ source: PropertiesSource) throws(LocatorError) {
        try checkMayChange("loadProperties")
        if isChild { throw LocatorError(.propertiesOfChild) }
        let loaded = try load(source)
        try replaceBase { base throws(PropertiesError) in
            base.isEmpty ? loaded : try base.properties.overlaid(by: loaded)
        } sources: {
            $0 + [source]
        }
        tellProperties()
    }

    /// Tells observers which profiles and files count now.
    private func tellProperties() {
        let properties = locked { state.properties }
        tell(
            .propertiesLoaded(
                profiles: properties.profiles, from: properties.places, warnings: properties.profileWarnings))
    }

    /// Reads all files again, for other profiles where they are given.
    ///
    /// If any fails, nothing changes. In a fork, instances of scope `.always` are made on demand.
    func reloadProperties(profiles: ProfileList? = nil, makesAlways: Bool = true) throws(LocatorError) {
        try checkMayChange("reloadProperties")
        if isChild { throw LocatorError(.propertiesOfChild) }
        var sources = locked { self.sources }
        if let profiles {
            for index in sources.indices { sources[index].profiles = profiles }
        }
        let newSources = sources
        var properties: Properties?
        for source in sources {
            let loaded = try load(source)
            do throws(PropertiesError) {
                properties = try properties?.overlaid(by: loaded) ?? loaded
            } catch {
                throw LocatorError(.properties(error))
            }
        }
        let reloaded: Properties
        do throws(PropertiesError) {
            if let properties {
                reloaded = properties
            } else {
                reloaded = try Properties(profiles: profiles)
            }
        } catch {
            throw LocatorError(.properties(error))
        }
        try replaceBase(makesAlways: makesAlways) { _ throws(PropertiesError) in
            reloaded
        } sources: { _ in
            newSources
        }
        tellProperties()
    }

    private func load(_ source: PropertiesSource) throws(LocatorError) -> Properties {
        do throws(PropertiesError) {
            return try source.load()
        } catch {
            throw LocatorError(.properties(error))
        }
    }

    /// What is loaded from files, and whether that is anything.
    private struct Base {
        let properties: Properties
        let sources: [PropertiesSource]
        let revision: UInt

        var isEmpty: Bool { sources.isEmpty }
    }

    /// Exchanges the files' properties; computed without the lock, and again where another thread was faster.
    private func replaceBase(
        makesAlways: Bool = true, _ compute: (Base) throws(PropertiesError) -> Properties,
        sources newSources: ([PropertiesSource]) -> [PropertiesSource]
    ) throws(LocatorError) {
        while true {
            let base = locked {
                Base(properties: state.lineup.base, sources: sources, revision: state.lineup.baseRevision)
            }
            let properties: Properties
            do throws(PropertiesError) {
                properties = try compute(base)
            } catch {
                throw LocatorError(.properties(error))
            }
            let replaced = locked { () -> Replaced? in
                guard state.lineup.baseRevision == base.revision else { return nil }
                let before = state
                tentativeCount += 1
                _ = exchangeBase(properties, newSources(sources), isTentative: true)
                return Replaced(activated: modulesInForce(since: before), revision: state.lineup.baseRevision)
            }
            guard let replaced else { continue }
            do throws(LocatorError) {
                for module in replaced.activated where makesAlways {
                    try makeAlways(of: module, location: module.module.location)
                }
            } catch {
                // What the new properties affect is set aside, and comes back now. Properties that another thread has
                // loaded since stay.
                let gone = locked { () -> [Instance] in
                    tentativeCount -= 1
                    guard state.lineup.baseRevision == replaced.revision else { return endWhatCannotReturn() }
                    return exchangeBase(base.properties, base.sources)
                }
                dispose(of: gone)
                throw error
            }
            let gone = locked {
                tentativeCount -= 1
                return endWhatCannotReturn()
            }
            let errors = dispose(of: gone)
            if !errors.isEmpty { throw LocatorError(.hooksFailed(errors)) }
            return
        }
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
    private func exchangeBase(
        _ properties: Properties, _ newSources: [PropertiesSource], isTentative: Bool = false
    ) -> [Instance] {
        sources = newSources
        return apply(
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
