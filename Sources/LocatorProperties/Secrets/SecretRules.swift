/// Decides which values must not be printed, when they become part of a tree of settings.
///
/// A value is secret because of the words of its keys, because its path is listed, or because it is built from a
/// secret. The decision is stored as a flag of the node, which stays with it through merging, placeholders, and
/// decoding. Printing only checks the flag.
package struct SecretRules: Sendable {
    /// The path at which settings list additional secrets, as an array of paths.
    static let listPath = PropertyPath([.key("locator"), .key("secrets")])

    /// The paths that are listed, by the program or in the settings.
    package let listed: [PropertyPath]
    private let paths: ListedPaths
    /// The texts of the listed paths, to find misspellings, or nil if no path is listed.
    private let listedNames: ListedNames?

    package init(listed: [PropertyPath] = []) {
        self.listed = listed
        paths = ListedPaths(listed)
        listedNames = listed.isEmpty ? nil : ListedNames(listed.prefix(Self.comparedPaths))
    }

    /// Whether exactly this path is listed.
    func lists(_ path: PropertyPath) -> Bool { paths.contains(path) }

    /// Whether a path, or a path above it, is secret.
    func isSecret(_ path: PropertyPath) -> Bool {
        // The list names secrets, but contains none.
        if path.starts(with: Self.listPath) { return false }
        return path.hasKey(where: SecretWords.isSecret) || paths.cover(path)
    }

    /// Returns a tree whose secrets are marked.
    ///
    /// Nothing is copied if there are none.
    func marking(_ tree: JSONObject) -> JSONObject {
        marking(.object(tree), at: .root).objectValue ?? tree
    }

    /// Returns a value whose secrets are marked as they are at a path.
    package func marking(_ value: JSONValue, at path: PropertyPath) -> JSONValue {
        if path.starts(with: Self.listPath) { return value }
        let inherited = value.flags.contains(.secret) || isSecret(path)
        let level = path.steps.count < 2 && Self.listPath.starts(with: path) ? path.steps.count : nil
        let result = marked(value, listLevel: level, isSecret: inherited) ?? value
        return inherited ? result : markingListed(result, at: path)
    }

    /// Returns a tree with only the listed paths marked.
    ///
    /// Its words and texts must have been checked before.
    func markingListed(_ tree: JSONObject) -> JSONObject {
        markingListed(.object(tree), at: .root).objectValue ?? tree
    }

    private func markingListed(_ value: JSONValue, at path: PropertyPath) -> JSONValue {
        paths.changing(value, at: path) { marked($0, listLevel: nil, isSecret: true) } ?? value
    }

    /// Returns a text from outside any file, marked as it is at a path.
    ///
    /// - Parameters:
    ///   - value: A string.
    ///   - path: The path of the text.
    ///   - isAddition: Whether the path is new, so that it may be a misspelling of a secret's path.
    func markingText(_ value: JSONValue, at path: PropertyPath, isAddition: Bool = false) -> JSONValue {
        var value = value
        if value.flags.contains(.secret) || path.starts(with: Self.listPath) { return value }
        if isSecret(path) || isAddition && isSlip(path) {
            value.flags.insert(.secret)
        } else if case .string(let text) = value.storage {
            value.flags.formUnion(flags(of: text))
            if !value.flags.contains(.secret), holdsSecretJSON(text, at: path) { value.flags.insert(.holdsSecret) }
        }
        return value
    }

    /// Whether a text is JSON that contains secrets at a path.
    func holdsSecretJSON(_ text: String, at path: PropertyPath) -> Bool {
        guard JSONText.beginsContainer(text) else { return false }
        guard let value = try? JSONValue(parsing: text) else {
            if paths.reach(path) || SecretScan(Array(text.utf8)).hasNearName { return true }
            // The path may be a misspelling of one that leads to a listed path.
            let parts = listed.filter { $0.steps.count > path.steps.count }.map { $0.prefix(path.steps.count) }
            return SecretRules(listed: parts).isNearListed(path)
        }
        return markingJSON(value, at: path).hasSecrets
    }

    /// Returns the JSON of a text from outside any file, with its secrets marked as they are at a path.
    ///
    /// - Parameters:
    ///   - value: The parsed text.
    ///   - path: The path of the text.
    ///   - existing: The existing value at the path. A name that it does not have may be a misspelling of a secret's
    ///     name.
    func markingJSON(_ value: JSONValue, at path: PropertyPath, over existing: JSONValue? = nil) -> JSONValue {
        let marked = marking(value, at: path)
        let slips = slips(in: marked, at: path, isNear: existing != nil && Self.hasNearWord(path)) { part in
            existing.map { TreeWalk($0, part).node != nil } ?? false
        }
        let parts = ListedPaths(slips.map { PropertyPath(Array($0.steps[path.steps.count...])) })
        return parts.changing(marked, at: .root) { self.marked($0, listLevel: nil, isSecret: true) } ?? marked
    }

    /// Returns the part at a path of the JSON of a text, marked as in the whole, or nil if the JSON has no such part.
    ///
    /// Only the part is marked, because the JSON may be large.
    ///
    /// - Parameters:
    ///   - value: The parsed text.
    ///   - path: The path of the part, which leads into no array of the JSON.
    ///   - place: The path of the text.
    ///   - isSecret: Whether the whole text is secret.
    func markingPart(of value: JSONValue, at path: PropertyPath, below place: PropertyPath, isSecret: Bool)
        -> JSONValue?
    {
        var (part, place, isSecret) = (value, place, isSecret)
        for case .key(let key) in path.steps[place.steps.count...] {
            guard let member = part[key] else { return nil }
            part = member
            place.steps.append(.key(key))
            let isSlip = SecretWords.isNearSecret(key) || isNearListed(place)
            isSecret = isSecret || isSlip && !place.starts(with: Self.listPath)
        }
        if isSecret { part.flags.insert(.secret) }
        return markingJSON(part, at: place)
    }

    /// Whether errors about invalid JSON must not quote the text at a part of it.
    func isHidden(_ part: PropertyPath, ofJSONAt path: PropertyPath, over existing: JSONValue? = nil) -> Bool {
        let place = path.appending(part)
        if isSecret(place) { return true }
        // A text that replaces an object with secrets may be one of them.
        if part.steps.isEmpty, let existing, existing.hasSecrets { return true }
        if existing?.part(at: part) != nil { return false }
        return !place.starts(with: Self.listPath) && isSlip(place)
    }

    /// Returns the paths in JSON that may be misspellings of secret paths.
    ///
    /// Variables with such names are treated in the same way.
    ///
    /// - Parameters:
    ///   - value: The JSON of a text.
    ///   - path: The path of the text.
    ///   - isNear: Whether the path itself may be a misspelling of a secret's name.
    ///   - isKnown: Whether a part exists elsewhere, so that its name is not a misspelling.
    func slips(
        in value: JSONValue, at path: PropertyPath, isNear: Bool,
        isKnown: (_ part: ArraySlice<PropertyPath.Step>) -> Bool
    ) -> [PropertyPath] {
        guard value.height > 0 else { return [] }
        var slips: [PropertyPath] = []
        func collect(_ value: JSONValue, at place: inout PropertyPath, isNear: Bool) {
            value.forEachPart(at: &place) { part, place in
                var isNear = isNear
                if let key = place.steps.last?.key {
                    if part.flags.contains(.secret) || place.starts(with: Self.listPath) { return }
                    isNear = isNear || SecretWords.isNearSecret(key)
                    if isNear || isNearListed(place), !isKnown(place.steps[path.steps.count...]) {
                        return slips.append(place)
                    }
                }
                collect(part, at: &place, isNear: isNear)
            }
        }
        var place = path
        collect(value, at: &place, isNear: isNear)
        return slips
    }

    /// Whether a path that a variable adds may be a misspelling of a secret path.
    func isSlip(_ path: PropertyPath) -> Bool {
        Self.hasNearWord(path) || isNearListed(path)
    }

    static func hasNearWord(_ path: PropertyPath) -> Bool { path.hasKey(where: SecretWords.isNearSecret) }

    /// Whether a path may be a misspelling of a listed path.
    private func isNearListed(_ path: PropertyPath) -> Bool {
        guard let listedNames else { return false }
        // Nobody lists so many paths by hand. Text that cannot be searched completely is not shown.
        if listed.count > Self.comparedPaths { return true }
        // A copy, because each path may be compared with all of them.
        var names = listedNames.names
        return !names.nearest(to: path.text, limit: 1).isEmpty
    }

    private static let comparedPaths = 200

    /// Returns the flags for secrets that are recognizable by the form of a text.
    func flags(of text: String) -> JSONNodeFlags {
        guard let scan = SecretScan(text) else { return [] }
        if scan.isSecret || hasSecretDefault(text, scan.bytes) || Self.hasEscapedSecret(text, scan.bytes) {
            return .secret
        }
        return scan.secrets.isEmpty ? [] : .holdsSecret
    }

    /// Whether a text is JSON with a secret whose key is only recognizable without its escapes: `"pass\u0077ord"`.
    private static func hasEscapedSecret(_ text: String, _ bytes: [UInt8]) -> Bool {
        guard JSONText.beginsContainer(text), bytes.place(of: #"\u"#.utf8, from: 0) != nil,
            let value = try? JSONValue(parsing: text)
        else { return false }
        return SecretRules().marking(value, at: .root).hasSecrets
    }
}

/// The texts of listed paths, which are prepared when they are first compared.
private final class ListedNames: Sendable {
    private let paths: ArraySlice<PropertyPath>
    private let lazyNames = LazyConstant<NearNames>()

    init(_ paths: ArraySlice<PropertyPath>) {
        self.paths = paths
    }

    var names: NearNames { lazyNames.value { NearNames(paths.map(\.text)) } }
}

// MARK: Marking

extension SecretRules {
    /// Returns the marked value, or nil if nothing changes.
    ///
    /// The level is the depth within the path of the list, which is skipped.
    private func marked(_ value: JSONValue, listLevel: Int?, isSecret: Bool) -> JSONValue? {
        var result: JSONValue?
        switch value.storage {
        case .array(let array):
            var elements: [JSONValue]?
            var lines = PrivateKeyLines()
            for index in array.elements.indices {
                let isSecret = lines.isPart(array.elements[index]) || isSecret
                guard let element = marked(array.elements[index], listLevel: nil, isSecret: isSecret) else { continue }
                if elements == nil { elements = array.elements }
                elements?[index] = element
            }
            result = elements.map { value.replacingContent(with: .array(JSONArrayStorage($0))) }
        case .object(let object):
            var members: JSONObject?
            // The entries are not copied, because most of them are checked only once and do not change.
            object.storage.entries.withUnsafeBufferPointer { entries in
                for index in entries.indices {
                    let isSecret = isSecret || SecretWords.isSecret(entries[index].key)
                    if !isSecret, Self.isPlain(entries[index].value.storage) { continue }
                    let isOnWay = listLevel.map { Self.listPath.steps[$0] == .key(entries[index].key) } ?? false
                    if isOnWay, listLevel == 1 { continue }
                    guard let member = marked(entries[index].value, listLevel: isOnWay ? 1 : nil, isSecret: isSecret)
                    else { continue }
                    if members == nil { members = object }
                    members?.updateValue(at: index) { $0 = member }
                }
            }
            result = members.map { value.replacingContent(with: .object($0)) }
        case .string(let text) where !isSecret:
            let found = flags(of: text)
            guard !found.isSubset(of: value.flags) else { return nil }
            result = value
            result?.flags.formUnion(found)
        case .null, .boolean, .integer, .decimal, .string:
            break
        }
        guard isSecret, !value.flags.contains(.secret) else { return result }
        result = result ?? value
        result?.flags.insert(.secret)
        return result
    }

    /// Whether a value has neither parts nor a text that may show a secret.
    @inline(__always)
    private static func isPlain(_ value: JSONValue.Storage) -> Bool {
        switch value {
        case .null, .boolean, .integer, .decimal: true
        case .string(let text): !SecretScan.isNeeded(for: text)
        case .array, .object: false
        }
    }
}

// MARK: Defaults of placeholders

extension SecretRules {
    /// Whether a text has a placeholder with a default that is secret, because its target is.
    private func hasSecretDefault(_ text: String, _ bytes: [UInt8]) -> Bool {
        guard Template.isTemplate(text) else { return false }
        guard let template = try? Template(parsing: text) else {
            // Nobody knows where a malformed path ends, so every part of the text may be one.
            let parts = bytes.split { ":{}".utf8.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
            return mayNameListed(bytes) || parts.contains("file") || SecretWords.isSecret(text)
                || parts.contains(where: SecretWords.isSecret)
        }
        return template.allPlaceholders.contains { $0.defaultTemplate != nil && isSecret($0.target) }
    }

    /// Whether a text that cannot be read as paths may contain a listed one.
    private func mayNameListed(_ bytes: [UInt8]) -> Bool {
        if listed.count > Self.comparedPaths { return true }
        return listed.contains { path in
            // Other keys can be written in several ways.
            let plainKeys = path.steps.compactMap(\.key).filter { key in
                !key.isEmpty && key.utf8.allSatisfy { $0 < 0x80 && PropertyPath.isPlain($0) }
            }
            return plainKeys.allSatisfy { bytes.place(of: $0.utf8, from: 0) != nil }
        }
    }

    /// Whether the target of a placeholder, and therefore its default, is secret.
    private func isSecret(_ target: Template.Target) -> Bool {
        switch target {
        case .property(let path): SecretWords.isSecret(path.text) || isSecret(path)
        case .variable(let name): SecretWords.isSecretVariable(name)
        // Whether a file is secret depends on its directory, so its default is not shown.
        case .file: true
        }
    }
}

extension JSONValue {
    /// Whether the value, or a part of it, is secret.
    package var hasSecrets: Bool { hasAny(of: [.secret, .holdsSecret]) }

    /// Whether the value is a text that is parsed as JSON if an array or object is needed.
    var isReadAsJSON: Bool { flags.contains(.text) && !flags.contains(.verbatim) }

    /// The array or object that a text is read as if one is needed, or nil if the text is not one.
    ///
    /// The text is outside of arrays.
    package var containerOfText: JSONValue? {
        guard isReadAsJSON, let text = stringValue, JSONText.beginsContainer(text) else { return nil }
        return (try? JSONValue(parsing: text))?.withoutNulls
    }

    /// Whether the value, or a part of its text, is masked when it is printed.
    package var isMasked: Bool { !flags.isDisjoint(with: [.secret, .holdsSecret]) }
}
