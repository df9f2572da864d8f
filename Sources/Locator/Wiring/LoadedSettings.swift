internal import LocatorProperties

/// The settings of the profile files and the environment, and how they were loaded.
struct LoadedSettings: Sendable {
    /// What one call has loaded.
    struct Part: Sendable {
        /// The number of the load that added it.
        let number: UInt
        /// The number of the load that read it.
        let reading: UInt
        /// How it was loaded, to load it again.
        let source: PropertiesSource
        let properties: Properties
        /// What was read for it, to find out whether the files have changed.
        let reads: FileReads
    }

    private(set) var parts: [Part] = []
    /// The settings of all parts, each of which overrides the parts before it.
    private(set) var properties = Properties()

    /// The settings of an empty context, which may have profiles.
    init(_ properties: Properties = Properties()) { self.properties = properties }

    /// The combined settings of some parts.
    init(_ parts: [Part]) throws(PropertiesError) {
        self.parts = parts
        properties = try Properties.combining(parts.map(\.properties))
    }

    var sources: [PropertiesSource] { parts.map(\.source) }

    var reads: FileReads { parts.reduce(into: FileReads()) { $0.add($1.reads) } }

    /// Adds a part over the others.
    mutating func append(_ part: Part) throws(PropertiesError) {
        properties = try properties.overlaid(by: part.properties)
        parts.append(part)
    }

    /// The settings without the effect of an earlier load.
    ///
    /// If the rest cannot be combined, for example because a placeholder needs that load, nothing is taken out.
    func without(_ load: TentativeLoad) -> LoadedSettings {
        guard parts.contains(where: { $0.number == load.number || $0.reading == load.number }) else { return self }
        let kept = parts.compactMap { part -> Part? in
            if part.number == load.number { return nil }
            if part.reading != load.number { return part }
            return load.before.parts.first { $0.number == part.number }
        }
        return (try? LoadedSettings(kept)) ?? self
    }
}

/// A load of the settings that may still be undone, or that came after such a load.
struct TentativeLoad {
    /// Identifies the load: the number of loads of the context up to it.
    let number: UInt
    /// The settings before it, and their number.
    let before: LoadedSettings
    let numberBefore: UInt
    /// Whether the load can no longer be undone.
    var isFinal = false
}
