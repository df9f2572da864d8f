import Locator

/// Checks whether profiles and wiring have everything that the wrappers of a program need.
struct WiringCheck {
    /// A profile that could be loaded, or the base file alone if it has no name.
    struct Profile {
        var name: String
        var properties: Properties
    }

    private let types: CompiledTypes
    private let profiles: [Profile]
    private let wirings: [ProviderCheck]
    private let skipped: [PropertyPath]
    /// The indexes of findings that several profiles may share.
    private var numbers: [Subject: Int] = [:]
    /// The findings, by place.
    private(set) var findings: [CheckFinding] = []
    private(set) var wrapperCount = 0

    /// The properties that make two findings the same.
    private struct Subject: Hashable {
        var place: String
        var label: String
        var severity: Finding.Severity
        var message: String
    }

    init(
        _ build: BuildFolder, profiles: [Profile], wirings: [ProviderCheck], skipped: [PropertyPath],
        _ files: FileSystem
    ) {
        types = CompiledTypes(build, symbols: SymbolGraphs(build, files, andOf: Self.modulesOfChoices(in: build)))
        self.profiles = profiles
        self.wirings = wirings
        self.skipped = skipped
        for type in build.checked.flatMap(\.types) {
            for use in WrapperUse.uses(in: type, knowing: types) { check(use) }
            checkComponent(type)
        }
        // A stable sort that keeps the order of findings on the same line.
        findings = findings.enumerated().sorted {
            let places = ($0.element.place ?? "", $1.element.place ?? "")
            return places.0 == places.1 ? $0.offset < $1.offset : Self.order(places.0, places.1)
        }.map(\.element)
    }

    /// Returns the modules of the enumerations that settings are decoded to, because these may decode themselves.
    private static func modulesOfChoices(in build: BuildFolder) -> Set<String> {
        let types = CompiledTypes(build)
        let uses = build.checked.flatMap(\.types).flatMap { WrapperUse.uses(in: $0, knowing: types) }
        let texts = Set(uses.lazy.filter { $0.kind == .property }.map(\.type.text))
        let choices = build.types.lazy.filter { !$0.rawValues.isEmpty }.map(\.name.text)
        return Set(
            choices.filter { name in texts.contains { $0.contains(name) } }.compactMap { name in
                name.split(separator: ".").first.map(String.init)
            })
    }

    static func readsProperties(_ build: BuildFolder) -> Bool {
        let types = CompiledTypes(build)
        return build.checked.flatMap(\.types).flatMap { WrapperUse.uses(in: $0, knowing: types) }.contains { use in
            if case .property = use.qualification { return true }
            return use.kind == .property || types.conforms(Wanted(use).type, to: SettingUse.configProperty)
        }
    }

    private mutating func check(_ use: WrapperUse) {
        wrapperCount += 1
        switch use.kind {
        case .property:
            guard let path = use.path else { return addUnchecked(use, "its path is computed") }
            check(path, as: use.type, hasDefault: use.hasDefault, use)
        case .dependency, .collection:
            checkDependency(use)
        }
    }

    // MARK: Properties

    private mutating func check(
        _ path: String, as type: TypeText, hasDefault: Bool = false, _ use: WrapperUse, prefix: String = ""
    ) {
        let parsed: PropertyPath
        do {
            parsed = try PropertyPath(parsing: path)
        } catch {
            return add(.error, use, prefix + PropertiesProblem(.path(error)).description)
        }
        if skipped.contains(where: { parsed.starts(with: $0) }) { return }
        for profile in profiles {
            let mayBeMissing = hasDefault || type.head == "Swift.Optional"
            if mayBeMissing, profile.properties[path] == nil {
                // Nothing fails here, so a misspelling would stay unnoticed.
                let near = profile.properties.slips(of: parsed)
                guard !near.isEmpty else { continue }
                let instead = hasDefault ? "its default is used" : "it is nil"
                let message = "\(path) is missing, so \(instead)\(UsageProblem.question(near))"
                add(.warning, use, prefix + message, in: profile)
                continue
            }
            for problem in ValueCheck(properties: profile.properties, types: types).problems(at: path, as: type) {
                guard let decider = problem.decider else {
                    add(.error, use, prefix + problem.problem.description, in: profile)
                    continue
                }
                let reason = "; only the program knows: \(decider.short) has its own initializer"
                add(.note, use, prefix + problem.problem.description + reason, in: profile)
            }
        }
    }

    // MARK: Dependencies

    private mutating func checkDependency(_ use: WrapperUse) {
        let wanted = Wanted(use)
        // A `Resolver` needs no registration.
        if wanted.type.head == "Locator.Resolver" { return }
        if types.conforms(wanted.type, to: SettingUse.configProperty), wanted.payload == nil {
            return checkConfiguration(wanted, use)
        }
        switch use.qualification {
        case .none: checkProviders(wanted, use) { _ in .some(nil) }
        case .name(let name): checkProviders(wanted, use) { _ in name }
        case .property(let path):
            check(path, as: TypeText("Swift.String"), use, prefix: "the qualifier of \(use.label): ")
            checkProviders(wanted, use) { try? $0.value(path, as: String.self) }
        case .computed: addUnchecked(use, "its qualifier is computed")
        }
        if wanted.type.isOpen { addUnchecked(use, "its type is generic") }
    }

    /// Checks a `ConfigProperty`, which is registered or decoded from the settings at its path.
    private mutating func checkConfiguration(_ wanted: Wanted, _ use: WrapperUse) {
        if wirings.contains(where: { $0.problem(wanted, qualifier: nil) == nil }) { return }
        guard let path = types.settingsPath(of: wanted.type) else {
            return addUnchecked(use, "the path of \(wanted.type.short) is computed")
        }
        let type = wanted.isOptional ? TypeText("Swift.Optional<\(wanted.type.text)>") : wanted.type
        check(path, as: type, use)
    }

    /// Checks the wiring of each profile for providers.
    ///
    /// The qualifier is nil if the profile has none.
    private mutating func checkProviders(_ wanted: Wanted, _ use: WrapperUse, _ qualifier: (Properties) -> String??) {
        if wanted.type.isOpen { return }
        for profile in profiles.isEmpty ? [Profile(name: "", properties: Properties())] : profiles {
            guard let qualifier = qualifier(profile.properties) else { continue }
            for wiring in wirings(for: profile) {
                guard let problem = wiring.problem(wanted, qualifier: qualifier) else { continue }
                let message =
                    hiding(qualifier, of: use, in: problem.message, profile)
                    + origin(ofQualifier: use, in: profile)
                add(problem.severity, use, message, hints: problem.hints, in: profile)
            }
        }
    }

    /// Returns the message without a qualifier that is the value of a secret setting.
    private func hiding(_ qualifier: String?, of use: WrapperUse, in message: String, _ profile: Profile) -> String {
        guard case .property(let path) = use.qualification, let qualifier, profile.properties[path]?.isMasked ?? false
        else { return message }
        return message.replacing("\"\(qualifier)\"", with: "\"\(Redaction.mask)\"")
    }

    /// Returns the setting and the place of a wrapper's qualifier, or an empty string if no setting determines it.
    private func origin(ofQualifier use: WrapperUse, in profile: Profile) -> String {
        guard case .property(let path) = use.qualification else { return "" }
        let place = profile.properties.explain(path).origin.map { ", \($0)" } ?? ""
        return " (the qualifier is the value of \(path)\(place))"
    }

    /// Returns the wiring of a profile: the one written with it, or else those without modules that are off.
    private func wirings(for profile: Profile) -> [ProviderCheck] {
        let own = wirings.filter { $0.profiles == profile.properties.profiles }
        return own.isEmpty ? wirings.filter(\.modulesThatAreOff.isEmpty) : own
    }

    /// The profiles whose wiring is unknown, because modules that are off in the wiring may be on there.
    var profilesWithoutWiring: [String] {
        wirings.isEmpty ? [] : profiles.filter { wirings(for: $0).isEmpty }.map(\.name)
    }

    // MARK: Components

    private mutating func checkComponent(_ type: CompiledType) {
        guard !wirings.isEmpty, type.conformances.contains("Locator.Component"), let place = type.place,
            !wirings.contains(where: { $0.lists(type.name) })
        else { return }
        let message = "\(type.name.short) is a component, and no module lists it"
        findings.append(.init(severity: .error, place: place, message: message))
    }

    // MARK: Findings

    private mutating func addUnchecked(_ use: WrapperUse, _ reason: String) {
        add(.note, use, "\(use.label) is not checked: \(reason)")
    }

    /// Adds a finding.
    ///
    /// If it already exists for another profile, adds the profile to it and keeps its hints.
    private mutating func add(
        _ severity: Finding.Severity, _ use: WrapperUse, _ message: String, hints: String = "",
        in profile: Profile? = nil
    ) {
        let names = profile.map { $0.name.isEmpty ? [] : [$0.name] } ?? []
        let subject = Subject(place: use.place, label: use.label, severity: severity, message: message)
        if let index = numbers[subject] {
            findings[index].profiles += names.filter { !findings[index].profiles.contains($0) }
        } else {
            numbers[subject] = findings.count
            findings.append(.init(severity: severity, place: use.place, message: message + hints, profiles: names))
        }
    }

    /// Orders places by file, and then by line number.
    private static func order(_ first: String, _ second: String) -> Bool {
        func parts(_ place: String) -> (String, Int) {
            guard let colon = place.lastIndex(of: ":") else { return (place, 0) }
            return (String(place[..<colon]), Int(place[colon...].dropFirst()) ?? 0)
        }
        return parts(first) < parts(second)
    }
}

extension Properties {
    /// Returns the settings that differ from a path by a misspelling of one key.
    ///
    /// Because nothing fails, only very similar paths count: `server.retires` for `server.retries`, but neither
    /// `orders.retries`, nor `server.port` for `server.proxy`.
    fileprivate func slips(of path: PropertyPath) -> [String] {
        settingPaths.filter { text in
            guard let other = try? PropertyPath(parsing: text), other.steps.count == path.steps.count else {
                return false
            }
            let differing = zip(path.steps, other.steps).filter { $0 != $1 }
            guard differing.count == 1, case (.key(let key), .key(let existing)) = differing[0] else { return false }
            return !NearNames.nearest(to: key, among: [existing]).isEmpty
        }
    }
}
