import LocatorProperties
import TestSupport
import Testing

@Suite("Variables and files with the same name set the same setting, and nothing else")
struct RandomOverrideTests {
    /// The ways to set the text of a path.
    private enum Way: CaseIterable {
        case variables, filesLikeVariables, filesWithPaths, folders

        func name(of path: PropertyPath) -> String {
            let parts = path.steps.map { step in
                switch step {
                case .key(let key): self == .folders ? PropertyPath([step]).text : VariableName.segment(of: key)
                case .index(let index): String(index)
                }
            }
            return switch self {
            case .variables: "S_" + parts.joined(separator: "__")
            case .filesLikeVariables: parts.joined(separator: "__")
            case .filesWithPaths: path.text
            case .folders: parts.joined(separator: "/")
            }
        }
    }

    private func source(_ base: JSONObject, _ texts: [PropertyPath: String], by way: Way) -> PropertiesSource {
        let named = Dictionary(uniqueKeysWithValues: texts.map { (way.name(of: $0), $1) })
        let isVariables = way == .variables
        var source = PropertiesSource(
            .files(["base.json"]), environment: isVariables ? named : [:],
            overrides: isVariables ? .environment(prefix: "S_") : .directory("/s", secret: false))
        let bytes = Array(JSONValue.object(base).text().utf8)
        source.fileSystem = FileSystem(
            read: { path throws(FileProblem) in
                if path == "base.json" { return bytes }
                guard let text = named[String(path.dropFirst(3))] else { throw .folderInsteadOfFile }
                return Array(text.utf8)
            },
            list: { path in
                let folder = path == "/s" ? "" : path.dropFirst(3) + "/"
                let names = named.keys.filter { $0.hasPrefix(folder) }.map { $0.dropFirst(folder.count) }
                return Set(names.map { String($0.prefix { $0 != "/" }) }).sorted()
            })
        return source
    }

    @Test func texts_standWhereTheirNamesSay() throws {
        var generator = SeededGenerator(for: "texts_standWhereTheirNamesSay")
        var changed = 0
        for _ in 0..<TestScale.count(4000) {
            let base = JSONObject.random(nulls: false, depth: 4, using: &generator)
            let before = try source(base, [:], by: .variables).load()
            let leaves = before.paths.filter { before[$0]?.arrayValue == nil && before[$0]?.objectValue == nil }
            var texts: [PropertyPath: String] = [:]
            for leaf in leaves where Int.random(in: 0..<3, using: &generator) == 0 {
                texts[try PropertyPath(parsing: leaf)] = "new \(texts.count)"
            }
            changed += texts.count
            for way in Way.allCases {
                let after = try source(base, texts, by: way).load()
                #expect(after.paths == before.paths, "\(way)")
                for path in before.paths {
                    let text = texts[try PropertyPath(parsing: path)]
                    #expect(after[path] == text.map { .string($0) } ?? before[path], "\(way): \(path)")
                    let origin = after.explain(path).origin
                    #expect((text == nil) == (origin?.source == .file("base.json")), "\(way): \(path) \(base)")
                }
            }
        }
        #expect(changed > 0)
    }

    @Test("Lists and objects that come only from variables or files are also the same")
    func texts_addTheSame() throws {
        var generator = SeededGenerator(for: "texts_addTheSame")
        for _ in 0..<TestScale.count(4000) {
            // Keys that are the same as variables write and read them.
            let tree = JSONObject.random(nulls: false, depth: 4, using: &generator).text
                .replacing("d.e", with: "d").replacing("f g", with: "f")
            guard let value = try? JSONValue(parsing: tree), let object = value.objectValue else { continue }
            let whole = try Properties(.object(object))
            var texts: [PropertyPath: String] = [:]
            for path in whole.paths where whole[path]?.arrayValue == nil && whole[path]?.objectValue == nil {
                texts[try PropertyPath(parsing: path)] = "new \(path)"
            }
            // After an empty container, there would be a gap.
            guard texts.count == whole.paths.count else { continue }
            for way in Way.allCases {
                let added = try source(JSONObject(), texts, by: way).load()
                #expect(Set(added.paths) == Set(whole.paths), "\(way)")
                for (path, text) in texts { #expect(added[path.text] == .string(text), "\(way): \(path.text)") }
            }
        }
    }
}

extension JSONObject {
    fileprivate var text: String { JSONValue.object(self).text() }
}
