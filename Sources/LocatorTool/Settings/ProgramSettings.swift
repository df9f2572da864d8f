import Locator

/// The settings that the source code of a program reads, with everything that the build shows about them.
struct ProgramSettings {
    /// A setting, which is not divided into parts.
    struct Setting {
        var path: PropertyPath
        /// The types of the places that read the setting, as in source code and without duplicates.
        var types: [String] = []
        var shapes: [ValueShape] = []
        /// Whether any place fails if the setting is missing.
        var isRequired = false
        /// The defaults of wrappers, or nil for a default that only the running program knows.
        var defaults: [JSONValue?] = []
        /// The places that read the setting, or an object that contains it.
        var places: [String] = []
        var comments: [String] = []
    }

    /// An object that a type is decoded from, so that all its keys are known.
    struct Object {
        var path: PropertyPath
        var comment: String?
    }

    /// The settings, in the order of their paths.
    private(set) var settings: [Setting] = []
    /// The objects that types are decoded from.
    private(set) var objects: [Object] = []
    /// The paths that a type of the source code declares as secret, as a whole or in parts.
    private(set) var secrets: [PropertyPath] = []
    private var numbers: [PropertyPath: Int] = [:]

    /// Creates an empty list, for a program that was not built.
    init() {}

    init(_ build: BuildFolder, _ files: FileSystem) {
        let types = CompiledTypes(build, symbols: SymbolGraphs(build, files))
        for use in SettingUse.uses(in: build, knowing: types, files) {
            add(use.path, types.shape(of: use.type), type: use.type.short, use.comment, use.place, of: use, types)
        }
        settings.sort { $0.path.text < $1.path.text }
        numbers = [:]
    }

    /// Reads the build that the first argument of a command names, if any.
    init(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) {
        guard let folder = arguments.positional.first else {
            self.init()
            return
        }
        let targets = arguments.list(Self.targetsOption.name)
        self.init(try BuildFolder(folder, targets: targets, in: surroundings), surroundings.fileSystem)
    }

    static let buildArgument = Syntax.Argument(
        name: "BUILD",
        summary: "The folder of a build that swift package check-wiring writes; without it, only the files are known",
        isRequired: false)
    static let targetsOption = Syntax.Option(
        name: "targets", placeholder: "NAMES",
        summary: "The targets that read settings, separated by commas; default: all that were built")

    private mutating func add(
        _ path: PropertyPath, _ shape: ValueShape, type: String, _ comment: String?, _ place: String,
        isRequired: Bool = true, of use: SettingUse, _ types: CompiledTypes
    ) {
        // Arrays are settings only as a whole.
        guard path.isOutsideOfArrays else { return }
        let isRequired = isRequired && !use.mayBeMissing && !shape.isOptional
        if case .object(let members) = shape.plain {
            if shape.isDeclaredSecret { secrets.append(path) }
            objects.append(Object(path: path, comment: comment))
            for member in members {
                add(
                    path.appending(.key(member.key)), member.shape, type: member.type, member.comment,
                    use.isDeclaration ? member.place : place, isRequired: isRequired, of: use, types)
            }
            return
        }
        if shape.isSecret { secrets.append(path) }
        let index = numbers[path] ?? settings.endIndex
        if index == settings.endIndex {
            numbers[path] = index
            settings.append(Setting(path: path))
        }
        if !settings[index].types.contains(type) { settings[index].types.append(type) }
        if !settings[index].shapes.contains(shape) { settings[index].shapes.append(shape) }
        if !settings[index].places.contains(place) { settings[index].places.append(place) }
        if let comment, !settings[index].comments.contains(comment) { settings[index].comments.append(comment) }
        settings[index].isRequired = settings[index].isRequired || isRequired
        if use.hasDefault { settings[index].defaults.append(use.literal.flatMap { types.value(of: $0, use.type) }) }
    }
}

extension CompiledTypes {
    /// Returns a literal as a profile file contains it.
    fileprivate func value(of literal: Constant, _ type: TypeText) -> JSONValue? {
        switch (shape(of: type).plain, literal) {
        case (.scalar("Swift.String"), .literal(let text)): .string(text)
        case (.scalar, .literal(let text)):
            (try? JSONValue(parsing: text)).flatMap { $0.numberValue == nil && $0.booleanValue == nil ? nil : $0 }
        case (.choice(_, raw: "Swift.String"), .member(_, let label)):
            declaration(of: type)?.cases.first { $0.name == label }?.rawValue.map { .string($0) }
        default: nil
        }
    }
}
