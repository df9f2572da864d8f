extension Properties {
    /// Merges files and overrides into settings that are checked and ready to read.
    ///
    /// If placeholders are not checked, invalid ones stay as written. With `defersGaps`, variables for elements whose
    /// array may be in an earlier load are no problem yet.
    init(
        sources: [Layer.Source], requests: [OverrideRequest], settings: PropertiesStorage.Settings,
        budget: Budget = Budget(), checksPlaceholders: Bool = true, defersGaps: Bool = false
    ) throws(PropertiesError) {
        do {
            self = try Self.merging(sources, requests, settings, budget, checksPlaceholders, defersGaps)
        } catch {
            if settings.knownSecrets.isEmpty { throw error }
            // Again, so that the error does not show their text.
            var settings = settings
            settings.listedSecrets += settings.knownSecrets
            self = try Self.merging(sources, requests, settings, budget, checksPlaceholders, defersGaps)
        }
    }

    private static func merging(
        _ sources: [Layer.Source], _ requests: [OverrideRequest], _ settings: PropertiesStorage.Settings,
        _ budget: Budget, _ checksPlaceholders: Bool, _ defersGaps: Bool
    ) throws(PropertiesError) -> Properties {
        var budget = budget
        var problems: [PropertiesProblem] = []
        // Secrets are determined before anything is merged.
        let secrets = SecretRules(listedBy: settings, sources, requests)
        let sources = sources.map { $0.marking(secrets) }
        let files = Layer(sources: sources, secrets: secrets)
        var overrides: [OverrideLayer] = []
        var merged = JSONValue.object(files.tree)
        for request in requests {
            overrides.append(
                OverrideLayer(
                    request, over: &merged, after: overrides,
                    places: { Trace($0, in: [files]).entries.first?.origin.description }, secrets: secrets,
                    budget: &budget, problems: &problems))
        }
        let layer = overrides.isEmpty ? files : Layer(sources: sources, overrides: overrides, secrets: secrets)
        guard layer.scan.pathBytes <= Limits.pathBytes else {
            let source = sources.max { TreeScan($0.tree).pathBytes < TreeScan($1.tree).pathBytes }
            throw PropertiesError(.file(.pathsTooLong(bytes: Limits.pathBytes)), file: source?.origin.name)
        }
        let storage = PropertiesStorage(layers: [layer], settings: settings)
        problems += layer.problemsOfLists + KeyForms.problems(in: storage)
        guard layer.scan.hasTemplates || !problems.isEmpty else {
            return Properties(storage: storage)
        }
        let check = PlaceholderCheck(storage)
        if checksPlaceholders { problems += check.problems }
        var settings = settings
        if defersGaps, problems.allSatisfy(\.isGap) { swap(&settings.gaps, &problems) }
        if let error = PropertiesError(problems) { throw error }
        return Properties(storage: PropertiesStorage(layers: [layer], settings: settings, resolved: check.tree))
    }

    /// Merges a later load over an earlier one; see ``combining(_:)``.
    package func overlaid(by later: Properties) throws(PropertiesError) -> Properties {
        try Self.combining([self, later])
    }

    /// Merges loads, each over the ones before it.
    ///
    /// The files of a load override earlier files, and its overrides override earlier overrides, which stay above all
    /// files.
    ///
    /// The result is checked like a load. It has the profiles of all loads.
    package static func combining(_ loads: [Properties]) throws(PropertiesError) -> Properties {
        let present = loads.filter { $0.storage.base != nil }
        guard let first = present.first, present.count > 1 else {
            if let error = PropertiesError(present.first?.storage.settings.gaps ?? []) { throw error }
            return present.first ?? loads.first ?? Properties()
        }
        let settings = present.dropFirst().reduce(into: first.storage.settings) { $0.add($1.storage.settings) }
        let layers = present.compactMap(\.storage.base)
        var sources = layers.flatMap(\.sources)
        if Set(sources.map(\.path)).count > Set(sources.map(\.fileName)).count {
            // Files of two folders have the same name.
            sources = sources.map(\.calledByPath)
        }
        return try Properties(
            sources: sources, requests: layers.flatMap { $0.overrides.map(\.request) }, settings: settings)
    }
}

extension PropertiesStorage.Settings {
    /// Adds the settings of a later load.
    fileprivate mutating func add(_ later: Self) {
        gaps = []
        profiles = (profiles + later.profiles).withoutRepetitions
        groups = (groups + later.groups).withoutRepetitions
        profileWarnings = (profileWarnings + later.profileWarnings).withoutRepetitions
        fileWarnings = (fileWarnings + later.fileWarnings).withoutRepetitions
        places += later.places
        environments = later.environments + environments
        files.add(later.files)
        listedSecrets = (listedSecrets + later.listedSecrets).withoutRepetitions
        knownSecrets = later.knownSecrets
    }
}

extension PropertiesProblem {
    /// Whether a variable is for an element that does not follow the existing ones.
    fileprivate var isGap: Bool {
        if case .environment(.gap) = kind { true } else { false }
    }
}

extension PropertiesStorage {
    /// The only layer: the files and overrides of a load.
    fileprivate var base: Layer? { layers.count == 1 ? layers[0] : nil }
}

extension SecretRules {
    /// Creates the rules for the paths that the program, its files, and their overrides list.
    init(listedBy settings: PropertiesStorage.Settings, _ sources: [Layer.Source], _ requests: [OverrideRequest]) {
        self.init(
            listed: settings.listedSecrets + sources.flatMap { Self.list(in: $0.tree) }
                + requests.flatMap(\.listedSecrets))
    }
}

extension Sequence where Element: Hashable {
    /// The elements without duplicates, in order.
    package var withoutRepetitions: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
