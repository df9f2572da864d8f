import Locator

/// The settings that environment variables can override, with their current values.
struct OverridableSettings {
    struct Setting {
        var path: String
        /// The variable that overrides it, or nil if there is none.
        var variable: String?
        var isSet = false
        /// The value in the chosen profiles, with secrets masked.
        var value: JSONValue?
        var origin: String?
        /// Whether the value, or a part of it, must not be shown.
        var isSecret = false
        /// The targets of the placeholders in the value.
        var placeholders: [String] = []
        /// The other profiles that have it, if the chosen ones do not.
        var otherProfiles: [String] = []
        /// The places in the source code that read it.
        var places: [String] = []

        /// The origin of the value, or of a value in another profile.
        var source: String {
            if let origin { return origin }
            if !otherProfiles.isEmpty { return "only in \(otherProfiles.joined(separator: ", "))" }
            return "no value; read by \(places.first ?? "the program")"
        }
    }

    /// The profiles whose values are shown.
    let profiles: [String]
    /// The settings of these profiles in order, then those of other profiles, then those that only the source code
    /// reads.
    private(set) var all: [Setting] = []
    private var numbers: [String: Int] = [:]
    private let environment: [String: String]

    init(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) {
        let program = try ProgramSettings(arguments, in: surroundings)
        let configuration = Configuration(arguments, in: surroundings, secrets: program.secrets)
        let prefix = arguments[Configuration.prefixOption.name] ?? ""
        environment = surroundings.variables
        let properties = try configuration.properties(configuration.profiles)
        profiles = properties.profiles
        let variables = VariablePaths(of: properties, prefix: prefix)
        for path in properties.settingPaths { add(path, of: properties, variables) }
        // `locator check` reports profiles that cannot be loaded.
        for combination in try configuration.combinations().loaded {
            let names = combination.names.filter { !profiles.contains($0) }
            guard let name = names.first, let other = try? configuration.load([name]) else { continue }
            let variables = VariablePaths(of: other, prefix: prefix)
            for path in other.settingPaths { add(path, ofOthers: names, other, variables) }
        }
        for setting in program.settings { add(setting, of: properties, variables, surroundings) }
    }

    private mutating func add(_ path: String, of properties: Properties, _ variables: VariablePaths) {
        insert(path, variables) { setting in
            let explanation = properties.explain(path)
            setting.value = explanation.value
            setting.origin = explanation.origin?.description
            setting.isSecret = explanation.isSecret || properties[path]?.hasSecrets ?? false
            setting.placeholders = explanation.placeholders.map(\.target)
        }
    }

    private mutating func add(
        _ path: String, ofOthers profiles: [String], _ properties: Properties, _ variables: VariablePaths
    ) {
        if let index = numbers[path] {
            if all[index].origin == nil { all[index].otherProfiles += profiles }
            return
        }
        insert(path, variables) { setting in
            setting.isSecret = properties.isSecret(path) || properties[path]?.hasSecrets ?? false
            setting.otherProfiles = profiles
        }
    }

    private mutating func add(
        _ known: ProgramSettings.Setting, of properties: Properties, _ variables: VariablePaths,
        _ surroundings: Surroundings
    ) {
        let places = known.places.map { surroundings.shortened($0) }
        let path = known.path.text
        if let index = numbers[path] {
            all[index].places = places
            return
        }
        insert(path, variables) { setting in
            setting.places = places
            setting.isSecret = properties.isSecret(path)
        }
    }

    private mutating func insert(_ text: String, _ variables: VariablePaths, _ complete: (inout Setting) -> Void) {
        guard let path = try? PropertyPath(parsing: text), !VariableName.isTooLate(for: path) else { return }
        let variable = variables.name(for: path)
        var setting = Setting(path: text, variable: variable, isSet: variable.map { environment[$0] != nil } ?? false)
        complete(&setting)
        numbers[text] = all.count
        all.append(setting)
    }
}

extension VariableName {
    /// Whether a setting is used before variables are read.
    ///
    /// Groups are, because they decide which files are read.
    static func isTooLate(for path: PropertyPath) -> Bool {
        path.starts(with: PropertyPath([.key("locator"), .key("profiles")]))
    }
}
