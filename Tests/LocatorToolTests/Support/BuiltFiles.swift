import Foundation
import LocatorProperties

/// A build folder like the compiler's, in memory, with other files.
struct BuiltFiles {
    private var files: [String: String] = [:]
    private var objects: [String: [String]] = [:]

    /// Adds a source whose description names these types.
    mutating func add(_ source: String, of target: String = "Shop", types: [String]) {
        objects[target, default: []].append(source)
        let name = source.split(separator: "/").last.map(String.init) ?? source
        add("Build/\(target).build/\(name).swiftconstvalues", "[\(types.joined(separator: ","))]")
    }

    /// Adds the symbol graph of a target.
    mutating func add(symbols: [String], of target: String = "Shop") {
        add("Build/symbols/\(target).symbols.json", "{ \"symbols\": [\(symbols.joined(separator: ","))] }")
    }

    mutating func add(_ path: String, _ text: String) {
        files[path] = text
    }

    var fileSystem: FileSystem {
        var files = files
        for (target, sources) in objects {
            let entries = ([""] + sources).map { "\"\($0)\": { \"object\": \"x\" }" }
            files["Build/\(target).build/output-file-map.json"] = "{ \(entries.joined(separator: ",")) }"
        }
        let all = files
        return FileSystem(
            read: { (path) throws(FileProblem) in
                guard let text = all[path] else { throw .noFile }
                return Array(text.utf8)
            },
            list: { (path) throws(FileProblem) in
                let inside = all.keys.filter { $0.hasPrefix(path + "/") }
                if inside.isEmpty { throw .noFolder }
                return Set(inside.map { String($0.dropFirst(path.count + 1).prefix { $0 != "/" }) }).sorted()
            })
    }
}

/// The description of a type as the compiler writes it.
enum ConstantValues {
    static func type(
        _ name: String, line: Int = 1, conformances: [String] = [], rawType: String? = nil, rawValues: [String] = [],
        _ properties: String...
    ) -> String {
        let aliases =
            rawType.map { #"{ "typeAliasName": "RawValue", "substitutedTypeName": "\#($0)" }"# } ?? ""
        let cases = rawValues.map { #"{ "name": "\#($0)", "rawValue": "\#($0)" }"# }
        return """
            {
              "typeName": "\(name)", "kind": "struct", "file": "/Shop/Shop.swift", "line": \(line),
              "conformances": [\(conformances.map { "\"\($0)\"" }.joined(separator: ","))],
              "associatedTypeAliases": [\(aliases)], "cases": [\(cases.joined(separator: ","))],
              "properties": [\(properties.joined(separator: ","))]
            }
            """
    }

    /// A wrapper with arguments such as `"qualifierBy": literal("a.b")`.
    static func wrapper(_ kind: String, _ type: String, line: Int, _ arguments: KeyValuePairs<String, String> = [:])
        -> String
    {
        let arguments = arguments.map { #"{ "label": "\#($0.key)", "type": "T", \#($0.value) }"# }
        return """
            {
              "label": "_value\(line)", "type": "Locator.\(kind)<\(type)>", "isStatic": "false", "isComputed": "false",
              "file": "/Shop/Shop.swift", "line": \(line), "valueKind": "InitCall",
              "value": { "type": "Locator.\(kind)<\(type)>", "arguments": [\(arguments.joined(separator: ","))] }
            }
            """
    }

    static func dependency(_ type: String, line: Int, _ arguments: KeyValuePairs<String, String> = [:]) -> String {
        wrapper("Dependency", type, line: line, arguments)
    }

    static func property(_ path: String, _ type: String, line: Int) -> String {
        wrapper("PropertyValue", type, line: line, ["": literal(path)])
    }

    static func member(_ label: String, _ value: String) -> String {
        """
        {
          "label": "\(label)", "type": "Swift.String", "isStatic": "true", "isComputed": "false",
          "file": "/Shop/Shop.swift", "line": 1, \(value)
        }
        """
    }

    /// A stored property.
    static func stored(_ label: String, _ type: String, line: Int = 31, _ value: String = computed) -> String {
        """
        {
          "label": "\(label)", "type": "\(type)", "isStatic": "false", "isComputed": "false",
          "file": "/Shop/Shop.swift", "line": \(line), \(value)
        }
        """
    }

    static func computedProperty(_ label: String, _ type: String) -> String {
        stored(label, type).replacing(#""isComputed": "false""#, with: #""isComputed": "true""#)
    }

    static func literal(_ text: String) -> String { #""valueKind": "RawLiteral", "value": "\#(text)""# }

    static func reference(_ type: String, _ label: String) -> String {
        #""valueKind": "MemberReference", "value": { "baseType": "\#(type)", "memberLabel": "\#(label)" }"#
    }

    static let computed = #""valueKind": "Runtime""#
}

/// The description of a symbol as the compiler writes it.
enum Symbols {
    /// A type or a member, with its comment: `Theme.color`.
    static func symbol(_ path: String, _ comment: String..., keyword: String = "var", type: String = "Int") -> String {
        let parts = path.split(separator: ".").map { "\"\($0)\"" }.joined(separator: ",")
        let lines = comment.map { "{ \"text\": \"\($0)\" }" }.joined(separator: ",")
        return """
            {
              "identifier": { "precise": "s:\(path)" }, "pathComponents": [\(parts)],
              "docComment": { "lines": [\(lines)] }, "location": { "uri": "file:///Shop/Shop.swift" },
              "declarationFragments": [
                { "kind": "keyword", "spelling": "\(keyword)" }, { "kind": "typeIdentifier", "spelling": "\(type)" }
              ]
            }
            """
    }

    /// The decoding initializer of a type, written by the compiler or by hand.
    static func decoding(_ type: String, by initializer: String = "init(from:)", isWritten: Bool = false) -> String {
        """
        {
          "identifier": { "precise": "s:\(type)" }, "pathComponents": ["\(type)", "\(initializer)"],
          \(isWritten ? #""location": { "uri": "file:///Shop/Shop.swift" },"# : "")
          "declarationFragments": [{ "kind": "typeIdentifier", "spelling": "Decoder" }]
        }
        """
    }
}
