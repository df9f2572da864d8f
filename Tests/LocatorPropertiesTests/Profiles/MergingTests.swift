import LocatorProperties
import TestSupport
import Testing

@Suite("A profile overrides the base: objects merge, everything else is replaced, null removes")
struct MergingTests {
    @Test(
        "base + profile = result",
        arguments: [
            (#"{}"#, #"{}"#, #"{}"#),
            (#"{"a":1}"#, #"{}"#, #"{"a":1}"#),
            (#"{}"#, #"{"a":1}"#, #"{"a":1}"#),
            (#"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#),
            (#"{"a":1}"#, #"{"b":2}"#, #"{"a":1,"b":2}"#),
            (#"{"a":1,"b":2,"c":3}"#, #"{"c":4,"a":5}"#, #"{"a":5,"b":2,"c":4}"#),
            (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":3,"z":4}}"#, #"{"a":{"x":1,"y":3,"z":4}}"#),
            (#"{"a":{"b":{"c":{"d":1,"e":2}}}}"#, #"{"a":{"b":{"c":{"d":3}}}}"#, #"{"a":{"b":{"c":{"d":3,"e":2}}}}"#),
            (#"{"a":{"x":1}}"#, #"{"a":{}}"#, #"{"a":{"x":1}}"#),
            (#"{"a":{"x":1}}"#, #"{"a":7}"#, #"{"a":7}"#),
            (#"{"a":7}"#, #"{"a":{"x":1}}"#, #"{"a":{"x":1}}"#),
            (#"{"a":[1,2,3]}"#, #"{"a":[4]}"#, #"{"a":[4]}"#),
            (#"{"a":[{"x":1}]}"#, #"{"a":[{"y":2}]}"#, #"{"a":[{"y":2}]}"#),
            (#"{"a":[1]}"#, #"{"a":[]}"#, #"{"a":[]}"#),
            (#"{"a":[1]}"#, #"{"a":{"x":1}}"#, #"{"a":{"x":1}}"#),
            (#"{"a":{"x":1}}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"{"a":1}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":1,"b":2}"#, #"{"a":null}"#, #"{"b":2}"#),
            (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"x":null}}"#, #"{"a":{"y":2}}"#),
            (#"{"a":{"x":1}}"#, #"{"a":{"x":null}}"#, #"{"a":{}}"#),
            (#"{"a":{"x":1}}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":1}"#, #"{"b":null}"#, #"{"a":1}"#),
            (#"{}"#, #"{"a":{"x":null,"y":1}}"#, #"{"a":{"y":1}}"#),
            (#"{"a":7}"#, #"{"a":{"x":null}}"#, #"{"a":{}}"#),
            (#"{"a":null}"#, #"{}"#, #"{}"#),
            (#"{"a":null}"#, #"{"a":1}"#, #"{"a":1}"#),
            (#"{"a":null}"#, #"{"a":{"x":1}}"#, #"{"a":{"x":1}}"#),
            (#"{"a":{"x":null,"y":{"z":null}}}"#, #"{}"#, #"{"a":{"y":{}}}"#),
            (#"{"a":[null]}"#, #"{}"#, #"{"a":[null]}"#),
            (#"{"a":[1]}"#, #"{"a":[null,2]}"#, #"{"a":[null,2]}"#),
            (#"{"a":1}"#, #"{"a":[{"x":null}]}"#, #"{"a":[{"x":null}]}"#),
            (#"{"a":1}"#, #"{"a":true}"#, #"{"a":true}"#),
            (#"{"a":"x"}"#, #"{"a":""}"#, #"{"a":""}"#),
            (#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":1.0}"#),
            (#"{"é":1}"#, #"{"e":2}"#, #"{"é":1,"e":2}"#),
            (#"{"a.b":1}"#, #"{"a":{"b":2}}"#, #"{"a.b":1,"a":{"b":2}}"#),
            (#"{"":1}"#, #"{"":2}"#, #"{"":2}"#),
        ])
    func merging(base: String, profile: String, expected: String) throws {
        let properties = try load(["": base, "p": profile], profiles: "p")
        #expect(properties.merged.text() == expected)
        // The same if a load or a stack of layers combines the two.
        let layers = try [profile, base].map { try Properties(JSONValue(parsing: $0)) }
        let stacked = Properties.stacked(above: [layers[0]], base: layers[1], below: [])
        #expect(stacked.merged == properties.merged)
    }

    @Test("Each profile overrides those before it")
    func merging_followsTheOrderOfProfiles() throws {
        let files = ["": #"{"a":0,"b":0,"c":0}"#, "p": #"{"a":1,"b":1}"#, "q": #"{"a":2,"c":null}"#]
        #expect(try load(files, profiles: "p,q").merged.text() == #"{"a":2,"b":1}"#)
        #expect(try load(files, profiles: "q,p").merged.text() == #"{"a":1,"b":1}"#)
    }

    @Test("At the maximum nesting depth of files")
    func merging_isNotLimitedByTheStack() throws {
        let depth = JSONValue.nestingLimit
        let base = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        let over =
            String(repeating: #"{"a":"#, count: depth - 1) + #"{"b":2}"# + String(repeating: "}", count: depth - 1)
        let properties = try load(["": base, "p": over], profiles: "p")
        #expect(properties.paths.map { $0.count } == [depth * 2 - 1, depth * 2 - 1])
    }
}

@Suite("The laws of merging hold for all trees")
struct MergeLawTests {
    @Test("Nothing over a tree, a tree over nothing, and a tree over itself is the tree")
    func identity() throws {
        try repeatedly { generator in
            let tree = JSONValue.object(.random(nulls: false, using: &generator))
            for files in [[tree.text(), "{}"], ["{}", tree.text()], [tree.text(), tree.text()]] {
                let merged = try loadMerged(files)
                #expect(merged == tree.text())
            }
        }
    }

    @Test("A load follows the rule for any files")
    func load_followsTheRule() throws {
        try repeatedly { generator in
            let trees = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                JSONObject.random(nulls: true, using: &generator)
            }
            let merged = try loadMerged(trees.map { JSONValue.object($0).text() })
            #expect(try JSONValue(parsing: merged) == merge(trees))
        }
    }

    @Test("The last tree wins: its values are in the result, and values that it removes are not")
    func lastWins() throws {
        try repeatedly { generator in
            let lower = JSONObject.random(nulls: false, using: &generator)
            let upper = JSONObject.random(nulls: true, using: &generator)
            let merged = try JSONValue(
                parsing: loadMerged([lower, upper].map { JSONValue.object($0).text() }))
            for path in try Properties(.object(upper)).overriddenPaths {
                let steps = try PropertyPath(parsing: path).steps
                let isElement = steps.contains { if case .index = $0 { true } else { false } }
                let expected = value(.object(upper), steps)
                if expected?.isNull == true, !isElement {
                    #expect(value(merged, steps) == nil)
                } else if expected?.objectValue?.isEmpty != true {
                    #expect(value(merged, steps) == expected)
                }
            }
        }
    }

    // A null, or a value that replaces an object, only removes what is already below it.
    @Test("If no object is removed or replaced, merging three trees is associative")
    func associativity() throws {
        try repeatedly { generator in
            let trees = (0..<3).map { _ in JSONObject.randomOfOneShape(using: &generator) }
            let files = trees.map { JSONValue.object($0).text() }
            let left = try loadMerged([loadMerged([files[0], files[1]]), files[2]])
            let right = try loadMerged([files[0], loadMerged([files[1], files[2]])])
            #expect(left == right)
            #expect(try JSONValue(parsing: left) == merge(trees))
        }
    }

    @Test("A stack of layers reads like the merged tree at every path")
    func stack_readsAsMerged() throws {
        try repeatedly { generator in
            let trees = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                JSONObject.random(nulls: true, using: &generator)
            }
            let merged = merge(trees)
            let layers = try trees.reversed().map { try Properties(.object($0)) }
            let position = Int.random(in: 0..<layers.count, using: &generator)
            let stacked = Properties.stacked(
                above: Array(layers[..<position]), base: layers[position], below: Array(layers[(position + 1)...]))
            #expect(stacked.merged == merged)
            var paths = Set(try Properties(merged).overriddenPaths)
            for layer in layers { paths.formUnion(layer.overriddenPaths) }
            for path in paths {
                let steps = try PropertyPath(parsing: path).steps
                for count in 1...steps.count {
                    let part = PropertyPath(Array(steps[..<count]))
                    let found = try stacked.lookup(part.text).result.get()
                    #expect(found == value(merged, part.steps), "\(part.text) in \(layers) from the first to the last")
                }
            }
        }
    }

    private func repeatedly(
        _ test: String = #function, _ body: (inout SeededGenerator) throws -> Void
    ) rethrows {
        var generator = SeededGenerator(for: test)
        for _ in 0..<TestScale.count(5_000) { try body(&generator) }
    }

    /// Files as a base and profiles, loaded.
    private func loadMerged(_ files: [String]) throws -> String {
        let profiles = files.indices.dropFirst().map { "p\($0)" }
        let named = zip([""] + profiles, files).map { ($0, $1) }
        return try load(Dictionary(uniqueKeysWithValues: named), profiles: ProfileList(profiles)).merged.text()
    }

    /// The documented rule, implemented again in the simplest way.
    private func merge(_ trees: [JSONObject]) -> JSONValue {
        func lay(_ upper: JSONObject, over lower: JSONObject) -> JSONObject {
            var result = lower
            for (key, value) in upper {
                if value.isNull {
                    result[key] = nil
                } else if let object = value.objectValue {
                    result[key] = .object(lay(object, over: result[key]?.objectValue ?? [:]))
                } else {
                    result[key] = value
                }
            }
            return result
        }
        return .object(trees.reduce([:]) { lay($1, over: $0) })
    }

    private func value(_ tree: JSONValue, _ steps: [PropertyPath.Step]) -> JSONValue? {
        steps.reduce(tree) { node, step in
            switch step {
            case .key(let key): node?[key]
            case .index(let index): node?[index]
            }
        }
    }
}

extension Properties {
    /// Everything as one tree, by reading the first key of each path.
    fileprivate var merged: JSONValue {
        var tree = JSONObject()
        for path in paths {
            guard case .key(let key)? = try? PropertyPath(parsing: path).steps.first else { continue }
            let first = PropertyPath([.key(key)])
            tree[key] = try? lookup(first.text).result.get()
        }
        return .object(tree)
    }
}
