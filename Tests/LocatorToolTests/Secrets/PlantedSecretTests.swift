import Foundation
import Locator
import LocatorTool
import TestSupport
import Testing

@Suite("No output shows a secret, wherever it is")
struct PlantedSecretTests {
    // MARK: Properties

    @Test("Properties, values read from them, and errors", .oneThread, arguments: Planting.all)
    func properties(planting: Planting) throws {
        var outputs = Outputs()
        outputs.add("source", planting.source)
        do throws(PropertiesError) {
            let properties = try planting.properties()
            try outputs.add(properties, planting.paths)
            #expect(planting.isRead == outputs.wasRead, "the text is not where the test thinks it is")
        } catch {
            #expect(!planting.isRead, "\(error)")
            outputs.add("error", error)
        }
        outputs.search()
    }

    @Test("Output of commands", .oneThread, arguments: Planting.all.filter(\.isSeenByCommands))
    func commands(planting: Planting) throws {
        var outputs = Outputs()
        let paths = ((try? planting.properties().allPaths) ?? []) + planting.paths
        for format in ["table", "json"] {
            outputs.add("properties", planting.locator("properties", "--format", format))
        }
        for format in ["table", "dotenv", "json"] {
            outputs.add("env", planting.locator("env", "--format", format))
        }
        outputs.add("completion", planting.completion)
        for path in paths { outputs.add("explain", planting.locator("explain", path)) }
        for folder in [planting.files] + (planting.files["dev"] == "{}" ? [planting.sideBySide] : []) {
            var planting = planting
            planting.files = folder
            outputs.add("check", planting.locator("check", "--strict", profile: nil))
            outputs.add("diff", planting.locator("diff", "dev", "other", profile: nil))
            outputs.add("diff with the base", planting.locator("diff", "dev", profile: nil))
            // If another profile is chosen than the one that has it.
            outputs.add("env", planting.locator("env", "--format", "dotenv", profile: "other"))
            outputs.add("wiring", planting.locator("wiring", reading: paths))
            outputs.add("schema", planting.locator("schema", reading: paths))
            outputs.add("schema of the files", planting.locator("schema", profile: nil))
            outputs.add("reference", planting.locator("reference", reading: paths))
            outputs.add("reference of the files", planting.locator("reference", profile: nil))
            for format in ["table", "dotenv", "json"] {
                outputs.add("env of a build", planting.locator("env", "--format", format, reading: paths))
            }
        }
        outputs.search()
    }

    // MARK: Contexts

    @Test("Output of a context", .oneThread, arguments: Planting.all)
    func contexts(planting: Planting) throws {
        let outputs = Locked(Outputs())
        let context = AppContext()
        context.observe { event in outputs.change { $0.add("event", event) } }
        do throws(LocatorError) {
            try context.loadProperties(planting.source)
        } catch {
            outputs.change { $0.add("error of the load", error) }
            outputs.value.search()
            return
        }
        let paths = context.properties.allPaths + planting.paths
        let properties = context.properties
        let modules = planting.modules(reading: paths, secret: paths.filter(properties.isSecret))
        for module in modules {
            outputs.change { $0.add("module", module) }
            do throws(LocatorError) {
                try context.load(module, priority: module.name == "Above" ? .high : .low)
            } catch {
                outputs.change { $0.add("error of a module", error) }
            }
        }
        outputs.change { outputs in
            outputs.add("context", context)
            outputs.add("dump()", context.dump())
            outputs.add("validation", context.validate(profiles: ["dev"]))
            let graph = context.graph()
            outputs.add("graph", graph)
            outputs.add("graph.text", graph.text)
            outputs.add("graph.mermaid", graph.mermaid)
            let json = (try? graph.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
            outputs.add("graph.json", json)
            for format in ["text", "mermaid", "dot", "html"] {
                outputs.add("locator graph", Planting.locator(["graph", "--format", format], input: json))
            }
        }
        for path in context.properties.allPaths + planting.paths { ask(context, path, outputs) }
        outputs.value.search()
    }

    /// Requests what a path qualifies, and values of other types.
    private func ask(_ context: AppContext, _ path: String, _ outputs: Locked<Outputs>) {
        func failure(_ what: String, _ body: () throws -> Void) {
            do {
                try body()
            } catch {
                outputs.change { $0.add("\(what) of \(path)", error) }
                if let error = error as? LocatorError { outputs.change { $0.add("its kind", error.kind) } }
            }
        }
        failure("qualifier") { _ = try context.resolve(Missing.self, qualifier: .property(path)) }
        failure("ambiguous qualifier") { _ = try context.resolve(Twin.self, qualifier: .property(path)) }
        failure("optional qualifier") { _ = try context.resolve(Missing?.self, qualifier: .property(path)) }
        failure("collection") { _ = try context.resolveAll(Missing.self, qualifier: .property(path)) }
        failure("factory") { _ = try context.resolve(Missing.self, with: Payload(), qualifier: .property(path)) }
        failure("value") { _ = try context.value(path, as: Int8.self) }
        failure("decoded value") { _ = try context.value(path, as: Indiscreet.self) }
        let wrapper = AppContext.withContext(context) { PropertyValue<[Int8]>(path) }
        failure("wrapper") { _ = try wrapper.resolved() }
        let dependency = AppContext.withContext(context) { Dependency<Missing>(qualifierBy: path) }
        failure("dependency") { _ = try dependency.resolved() }
        outputs.change {
            $0.add("wrapper of \(path)", wrapper)
            $0.add("dependency of \(path)", dependency)
            if let explanation = wrapper.explain() { $0.add("explanation of a wrapper", explanation) }
            $0.add("explanation of \(path)", context.explain(Missing.self, qualifier: .property(path)))
            $0.add("explanation of a qualified key", context.explain(Known.self, qualifier: .property(path)))
            $0.add("explanation of an ambiguous key", context.explain(Twin.self, qualifier: .property(path)))
            $0.add("explanation of a reader", context.explain(Reader.self))
        }
    }

    @Test("Values that hold a context, a module, or an instance")
    func holders() throws {
        let outputs = Locked(Outputs())
        let module = Module(
            "Shop", properties: ["db.password": "Pl4nted"], when: .not(.property("pwd", equals: "Pl4nted"))
        ) { registry in
            outputs.change { $0.add("registry", registry) }
            outputs.change { $0.add("registration", registry.register(Vault.self) { Vault(text: "Pl4nted") }) }
            outputs.change { $0.add("unheld", registry.register(Int.self, scope: .prototype) { 1 }) }
            registry.factory(Lost.self) { (payload: Payload) -> Lost in throw Failure(payload: payload) }
            registry.register(Known.self) { throw Rejection.of(Payload(text: "Pl4nted")) }
            registry.register(Twin.self) { throw Refusal() }
            registry.register(Needy.self) { Needy() }.onDispose { _ in throw Failure(payload: Payload(text: "Pl4nted"))
            }
            registry.register(Holder.self) {
                (
                    lazy: Lazy<Vault>, provider: Provider<Vault>, factory: Factory<Payload, Lost>, resolver: Resolver
                ) in
                Holder(parts: [lazy, provider, factory, resolver, lazy.value === lazy.value])
            }
        }
        let context = AppContext()
        outputs.change { $0.add("observation", context.observe { event in outputs.change { $0.add("event", event) } }) }
        let source = PropertiesSource(.files([]), environment: ["A": "Pl4nted"], overrides: .environment(prefix: "S_"))
        outputs.change { $0.add("source", source) }
        try context.loadProperties(source).load(module)
        for part in try context.resolve(Holder.self).parts { outputs.change { $0.add("part", part) } }
        let error = #expect(throws: LocatorError.self) {
            try context.resolve(Lost.self, with: Payload(text: "Pl4nted"))
        }
        let mismatch = #expect(throws: LocatorError.self) {
            try context.resolve(Vault.self, with: Payload(text: "Pl4nted"))
        }
        let known = #expect(throws: LocatorError.self) { try context.resolve(Known.self) }
        let twin = #expect(throws: LocatorError.self) { try context.resolve(Twin.self) }
        _ = try context.resolve(Needy.self)
        let reset = #expect(throws: LocatorError.self) { try context.reset() }
        #expect(error?.description.contains("making Lost failed: Failure\n") == true)
        #expect(known?.description.contains("making Known failed: Rejection.of") == true)
        #expect(twin?.description.contains("making Twin failed: no connection to https://me:<secret>@db") == true)
        outputs.change {
            for error in [error, mismatch, known, twin, reset] {
                $0.add("error", error as Any)
                $0.add("kind of error", error?.kind as Any)
            }
            $0.add("holder of all", ["context": context, "module": module, "fork": (try? context.fork()) as Any])
            $0.add("condition", Condition.property("a.token", equals: "Pl4nted"))
            $0.add("condition on a URL", Condition.property("a", equals: "https://me:Pl4nted@host"))
            $0.add("selection", ModuleSelection.where { $0.name == "x" })
        }
        outputs.value.search()
    }

    @Test("A registration chosen by a secret qualifier is not named by it in its reader's output")
    func chosenRegistration() throws {
        var outputs = Outputs()
        let module = Module("Shop", properties: ["db.password": "Pl4nted"]) { registry in
            registry.register(Known.self, qualifier: "Pl4nted") { Known() }.alias(Lost.self) { _ in Lost() }
            registry.register(Twin.self, qualifier: "Pl4nted") { Twin() }
            registry.register(Twin.self, qualifier: "Pl4nted") { Twin() }
            registry.register(Reader.self) { (resolver: Resolver) in
                _ = try resolver.resolve(Known.self, qualifier: .property("db.password"))
                return Reader()
            }
        }
        let below = Module("Base") { registry in registry.register(Known.self, qualifier: "Pl4nted") { Known() } }
        let context = try AppContext().load(module).load(below, priority: .low)
        _ = try context.resolve(Reader.self)
        outputs.add("known", context.explain(Known.self, qualifier: .property("db.password")))
        outputs.add("alias", context.explain(Lost.self, qualifier: .property("db.password")))
        outputs.add("twin", context.explain(Twin.self, qualifier: .property("db.password")))
        outputs.add("reader", context.explain(Reader.self))
        let error = #expect(throws: LocatorError.self) {
            try context.resolve(Twin.self, qualifier: .property("db.password"))
        }
        outputs.add("error", error as Any)
        outputs.search()
        #expect(
            context.explain(Known.self, qualifier: .property("db.password")).description
                .hasPrefix("Known \"<secret>\"\n  resolves to Known \"<secret>\" ("))
    }

    @Test("A value that was read never shows its secrets, alone or in a container")
    func readValues() throws {
        var outputs = Outputs()
        let properties = try Properties([
            "db": ["password": "Pl4nted", "pins": [["salt": 1]], "url": "https://me:Pl4nted@x"], "a": "x",
        ])
        let whole = try properties.value("db", as: JSONValue.self)
        outputs.add("value", whole)
        outputs.add("array", try #require(whole.objectValue).map(\.value))
        outputs.add("dictionary", try properties.value("db", as: [String: JSONValue].self))
        outputs.add("structure", try properties.value("db", as: Database.self))
        outputs.add("optional", whole["password"] as Any)
        outputs.add("content", whole.content)
        outputs.add("object", whole.objectValue as Any)
        var moved: JSONValue = ["x": 1]
        moved.updateObject { $0["y"] = whole["password"] }
        outputs.add("moved", moved)
        outputs.search()
        #expect(whole["password"] == "Pl4nted")
        #expect(whole["password"]?.stringValue == "Pl4nted")
        #expect(whole["password"]?.text(showingSecrets: true) == #""Pl4nted""#)
    }

    @Test("The search finds a visible secret")
    func search_finds() {
        var outputs = Outputs()
        outputs.add("value", ["a": "Pl4nted"])
        outputs.add("value", Planting.self)
        #expect(
            outputs.found.map(\.what) == [
                "value, printed", "value, reflected", "value, dumped", "value, mirrored", "value, mirrored",
            ])
    }
}

// MARK: Outputs

/// Everything that was printed, to be searched.
private struct Outputs {
    private(set) var found: [(what: String, text: String)] = []
    /// Whether the program got the text.
    private(set) var wasRead = false

    /// Adds what printing, reflection, and `dump` show of a value.
    mutating func add(_ what: String, _ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = [
            "printed": "\(value)", "reflected": String(reflecting: value), "dumped": dumped,
            "localized": (value as? any Error).map { "\($0.localizedDescription)" } ?? "",
        ]
        for how in ["printed", "reflected", "dumped", "localized"] {
            guard let text = texts[how], Planting.range(in: text) != nil else { continue }
            found.append(("\(what), \(how)", text))
        }
        // Two levels of a mirror's children, because `dump` may not show them.
        for child in Mirror(reflecting: value).children {
            let texts = ["\(child.value)"] + Mirror(reflecting: child.value).children.map { "\($0.value)" }
            for text in texts where Planting.range(in: text) != nil {
                found.append(("\(what), mirrored", text))
            }
        }
    }

    mutating func add(_ properties: Properties, _ extraPaths: [String]) throws(PropertiesError) {
        add("properties", properties)
        add("warnings", properties.environmentWarnings)
        add("problems", properties.problems())
        add("paths", properties.paths)
        for path in properties.allPaths + extraPaths {
            add("explanation of \(path)", properties.explain(path))
            let explanation = properties.explain(path)
            let values = [explanation.value] + explanation.layers.map(\.value) + explanation.placeholders.map(\.value)
            add("values of an explanation", values.map { $0?.text(showingSecrets: true) })
            if let part = try? properties.properties(at: path) { add("part \(path)", part) }
            if let value = properties[path] {
                add("value of \(path)", value)
                add("content of \(path)", value.content)
                add("object of \(path)", value.objectValue as Any)
                add("text of \(path)", value.text())
                add("pretty text of \(path)", value.text(.pretty))
                add("bytes of \(path)", String(decoding: value.bytes(), as: UTF8.self))
                wasRead = wasRead || Planting.range(in: value.text(showingSecrets: true)) != nil
            }
            addReadings(of: properties, at: path)
        }
    }

    /// Reads a value as types that match it, and as types that do not.
    private mutating func addReadings(of properties: Properties, at path: String) {
        func read<Value: Decodable>(_ type: Value.Type, isPrinted: Bool = false) {
            do throws(PropertiesError) {
                let value = try properties.value(path, as: type)
                if isPrinted { add("\(type) at \(path)", value) }
            } catch {
                add("error of \(type) at \(path)", error)
                add("problems of \(type) at \(path)", error.problems)
            }
        }
        read(JSONValue.self, isPrinted: true)
        read([JSONValue].self, isPrinted: true)
        read([String: JSONValue].self, isPrinted: true)
        read([[String: JSONValue]].self, isPrinted: true)
        read(Secret<String>.self, isPrinted: true)
        read(Secret<JSONValue>.self, isPrinted: true)
        read(Int.self)
        read(Bool.self)
        read(Double.self)
        read(Duration.self)
        read(URL.self)
        read(Date.self)
        read(Data.self)
        read(UUID.self)
        read([Int].self)
        read([String: Int].self)
        read([String: [String: Int]].self)
        read(Level.self)
        read(Indiscreet.self)
        read([Indiscreet].self)
        read([String: Indiscreet].self)
        read(Structure.self)
    }

    /// The text around it.
    private static func excerpt(of text: String) -> String {
        guard let range = Planting.range(in: text) else { return text }
        return "…\(text[..<range.lowerBound].suffix(80))\(text[range])\(text[range.upperBound...].prefix(40))…"
    }

    /// Fails the test where something shows the text.
    func search() {
        if found.isEmpty { return }
        let shown = found.prefix(8).map { "\($0.what): \(Self.excerpt(of: $0.text))" }
        Issue.record("\(found.count) outputs show it, such as\n\(shown.joined(separator: "\n"))")
    }
}

/// Outputs that observers add to.
private final class Locked<Value>: @unchecked Sendable {
    // Sendable: the value is accessed under the lock. Recursive, because what is printed may cause events.
    private let lock = NSRecursiveLock()
    private var content: Value

    init(_ value: Value) { content = value }

    var value: Value { lock.withLock { content } }

    func change(_ body: (inout Value) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        var copy = content
        body(&copy)
        content = copy
    }
}

extension Properties {
    /// The paths of all values and of what they are parts of.
    fileprivate var allPaths: [String] {
        var paths: [String] = []
        for text in self.paths {
            guard let path = try? PropertyPath(parsing: text) else { continue }
            for count in path.steps.indices {
                let part = PropertyPath(Array(path.steps[...count])).text
                if !paths.contains(part) { paths.append(part) }
            }
        }
        return paths
    }
}

// MARK: Plantings in use

extension Planting {
    private var fileSystem: FileSystem { adding(to: .config(Planting.named(files))) }

    /// A file system that also has the directory of secrets.
    private func adding(to other: FileSystem) -> FileSystem {
        var system = other
        let files = Dictionary(uniqueKeysWithValues: directory.map { ("/run/secrets/\($0)", $1) })
        system.read = { path throws(FileProblem) in
            if let text = files[path] { return Array(text.utf8) }
            if files.keys.contains(where: { $0.hasPrefix(path + "/") }) { throw .folderInsteadOfFile }
            return try other.read(path)
        }
        system.list = { path throws(FileProblem) in
            guard path.hasPrefix("/run/secrets") else { return try other.list(path) }
            let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { $0.dropFirst(path.count + 1) }
            return Set(names.map { $0.prefix { $0 != "/" } }).map(String.init).sorted()
        }
        return system
    }

    /// Whether the commands know everything that is listed.
    fileprivate var isSeenByCommands: Bool { secrets.isEmpty && above.isEmpty && below.isEmpty }

    /// The planted secret in one profile, with another profile without it.
    fileprivate var sideBySide: [String: String] {
        ["": "{}", "dev": files[""] ?? "", "other": #"{"z": 1, "db": 1, "a": "b"}"#]
    }

    private static func named(_ files: [String: String]) -> [String: String] {
        var named: [String: String] = [:]
        for (profile, text) in files { named["application\(profile.isEmpty ? "" : "-\(profile)").json"] = text }
        return named
    }

    fileprivate var source: PropertiesSource {
        var source = PropertiesSource(
            .folder("Config"), profiles: "dev", environment: environment,
            overrides: [.environment(prefix: "S_"), .directory("/run/secrets")], secrets: secrets)
        source.fileSystem = fileSystem
        return source
    }

    fileprivate func properties() throws(PropertiesError) -> Properties {
        Properties.stacked(
            above: [try Properties(overrides: above, name: "module Above")], base: try source.load(),
            below: [try Properties(overrides: below, name: "module Below")])
    }

    fileprivate func locator(_ words: String..., profile: String? = "dev") -> Outcome {
        let options = ["--prefix", "S_", "--directory", "/run/secrets"] + (profile.map { ["--profile", $0] } ?? [])
        return LocatorToolTests.locator(words: words + options) {
            $0.environment = environment
            $0.fileSystem = fileSystem
        }
    }

    /// How a shell completes the path of a setting.
    fileprivate var completion: Outcome {
        LocatorToolTests.locator(words: ["__complete", "explain", "--prefix", "S_", "--profile", "dev", ""]) {
            $0.environment = environment
            $0.fileSystem = fileSystem
        }
    }

    fileprivate static func locator(_ words: [String], input: String) -> Outcome {
        LocatorToolTests.locator(words: words, input: input)
    }

    /// The output of a command for sources whose wrappers request these paths as many types.
    fileprivate func locator(_ words: String..., reading paths: [String]) -> Outcome {
        var files = BuiltFiles()
        var types = [ConstantValues.type("Shop.Level", rawType: "Swift.String", rawValues: ["low", "high"])]
        let asked = [
            "Swift.Int", "Swift.Bool", "Foundation.URL", "Swift.Duration", "Shop.Level", "Swift.Array<Swift.Int>",
            "Swift.Array<Shop.Level>", "Swift.Dictionary<Swift.String, Swift.Int>",
            "Swift.Dictionary<Swift.String, Shop.Level>", "Swift.Optional<Shop.Level>", "Shop.Other",
        ]
        for path in paths where !path.contains("'") {
            for type in asked {
                types.append(
                    ConstantValues.type("Shop.Screen\(types.count)", ConstantValues.property(path, type, line: 7)))
            }
            types.append(
                ConstantValues.type(
                    "Shop.Screen\(types.count)",
                    ConstantValues.dependency("Shop.Level", line: 8, ["qualifierBy": ConstantValues.literal(path)])))
        }
        files.add("/Shop/Shop.swift", types: types)
        for (name, text) in Planting.named(self.files) { files.add("Config/\(name)", text) }
        let options = ["Build", "--prefix", "S_", "--directory", "/run/secrets"]
        return LocatorToolTests.locator(words: [words[0]] + options + words.dropFirst()) {
            $0.environment = environment
            $0.fileSystem = adding(to: files.fileSystem)
        }
    }

    /// Modules with the properties, and with registrations that need what the paths qualify.
    fileprivate func modules(reading paths: [String], secret: [String]) -> [Module] {
        let needs = Module("Needs") { registry in
            for path in paths {
                let qualifier = Qualifier.property(path)
                registry.register(Needy.self, qualifier: .named("\(path)"), parameterQualifiers: [qualifier]) {
                    (_: Missing) in
                    Needy()
                }
                registry.register(Needy.self, qualifier: .named("\(path) 2"), parameterQualifiers: [qualifier]) {
                    (_: Missing?) in
                    Needy()
                }
                registry.register(Needy.self, qualifier: .named("\(path) 3"), parameterQualifiers: [qualifier]) {
                    (_: [Missing]) in
                    Needy()
                }
                registry.register(Needy.self, qualifier: .named("\(path) 4"), parameterQualifiers: [qualifier]) {
                    (_: Factory<Payload, Missing>) in Needy()
                }
                registry.requires(path, as: Int8.self)
            }
            registry.register(Missing.self, qualifier: "other") { Missing() }
            registry.register(Reader.self) { (resolver: Resolver) in
                for path in paths {
                    _ = try? resolver.resolve(Missing?.self, qualifier: .property(path))
                    _ = try? resolver.resolve(Known?.self, qualifier: .property(path))
                }
                return Reader()
            }
        }
        let off = secret.enumerated().map { number, path in
            Module("Off \(number)", when: .property(path, equals: .string("x" + Planting.text))) { registry in
                registry.register(Known.self) { Known() }
                registry.register(Missing.self) { Missing() }
            }
        }
        return [Module("Above", properties: above), Module("Below", properties: below), needs] + off
    }
}

// MARK: Types

private struct Missing: Sendable {}
private struct Known: Sendable {}
private struct Twin: Sendable {}
private struct Needy: Sendable {}
private struct Reader: Sendable {}
private struct Lost: Sendable {}

private struct Failure: Error {
    let payload: Payload
}

private enum Rejection: Error {
    case of(Payload)
}

private struct Refusal: Error, CustomStringConvertible {
    var description: String { "no connection to https://me:Pl4nted@db" }
}

private struct Payload: Sendable {
    var text = ""
}

private final class Vault: Sendable {
    let text: String

    init(text: String) { self.text = text }
}

private struct Holder: @unchecked Sendable {
    // Sendable: the parts are read only, on one thread.
    let parts: [Any]
}

private enum Level: String, Decodable, CaseIterable {
    case low
    case high
}

private struct Structure: Decodable {
    let password: Int
    let url: Int?
    let nowhere: String
}

private struct Database: Decodable {
    let password: JSONValue
    let pins: [JSONValue]
    let url: Secret<String>
}

/// A type whose error quotes what it was decoded from.
private struct Indiscreet: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        var dumped = ""
        dump(value.stringValue as Any, to: &dumped)
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath, debugDescription: "\(value.text(showingSecrets: true)) \(dumped)"))
    }
}
