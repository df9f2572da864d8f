internal import LocatorProperties

/// The fixes for settings that are missing or have the wrong type.
extension Fix {
    /// Returns the fix for a problem of a setting.
    ///
    /// - Parameters:
    ///   - type: The type that is read. If it is decoded, the problem may be that of a part.
    ///   - path: The path that is read.
    ///   - isRequired: Whether an optional or a default value is no way out.
    static func setting(
        _ problem: PropertiesProblem, readAs type: any Any.Type, at path: String, isRequired: Bool,
        in properties: Properties
    ) -> String {
        switch problem.kind {
        case .path: return "correct the path"
        case .placeholder: return "correct the placeholder, or set what it needs"
        case .value(.removed): return replacingNull
        case .value(.missing(let expected, _)):
            if let fix = misspelling([problem], readAs: type, at: path, in: properties) { return fix }
            if isPart(problem, of: path) {
                return addingSetting + (optional(of: expected).map { ", or declare it as \($0)" } ?? "")
            }
            if isRequired { return addingSetting }
            return addingSetting
                + (type is any ConfigProperty.Type
                    ? ", or take \(typeName(type))?" : ", or use an optional or a default value")
        case .value(.noSuchPart): return addingSetting
        case .value(.mismatch(let expected, let found)):
            return hint(expected: expected, found: found) ?? correctingValue
        default: return correctingValue
        }
    }

    /// Returns the fixes for the problems of a setting, each with its paths if they differ, as one text; nil if
    /// they say what to do themselves.
    static func setting(
        _ problems: [PropertiesProblem], readAs type: any Any.Type, at path: String, isRequired: Bool,
        in properties: Properties
    ) -> String? {
        let isOne = problems.count == 1
        let problems = problems.filter { !$0.saysWhatToDo }
        if problems.isEmpty { return nil }
        let areAllUnknown = problems.allSatisfy { problem in
            guard case .value(.missing) = problem.kind else { return false }
            return misspelling([problem], readAs: type, at: path, in: properties) == nil
        }
        if areAllUnknown, problems.count > 1 {
            return "add them to a profile file or to the `properties:` of a module, or declare them as optionals"
        }
        let fixes = problems.prefix(10).map { problem in
            (
                path: problem.path ?? path,
                text: setting(problem, readAs: type, at: path, isRequired: isRequired, in: properties)
            )
        }
        let texts = fixes.map(\.text).withoutRepetitions
        if isOne { return texts.first }
        return texts.map { text in
            "\(fixes.filter { $0.text == text }.map(\.path).joined(separator: ", ")): \(text)"
        }.joined(separator: "; ")
    }

    /// Returns the fix for a missing setting if another one is probably a misspelling of it; nil for other problems.
    static func misspelling(
        _ problems: [PropertiesProblem], readAs type: any Any.Type, at path: String, in properties: Properties
    ) -> String? {
        guard problems.count == 1, case .value(.missing(_, let near)) = problems[0].kind else { return nil }
        let name = typeName(type)
        let place =
            isPart(problems[0], of: path)
            ? "the name in \(name)" : type is any ConfigProperty.Type ? "\(name).path" : nil
        return correcting(near, to: problems[0].path ?? path, orCorrecting: place, in: properties)
    }

    /// Whether the setting of a problem is a part of the one that is read.
    private static func isPart(_ problem: PropertiesProblem, of path: String) -> Bool {
        guard let found = problem.path, let whole = try? PropertyPath(parsing: path) else { return false }
        return found != whole.text
    }

    static let addingSetting = "add it to a profile file or to the `properties:` of a module"
    private static let correctingValue = "correct its value, or the type that the program expects"

    /// Returns the fix for a missing setting if another one is probably a misspelling of it.
    ///
    /// - Parameter place: The part of the code that may be wrong instead, or nil if it is the path that is read.
    private static func correcting(
        _ near: [String], to path: String, orCorrecting place: String?, in properties: Properties
    ) -> String? {
        if NearNames.areDotted(near, for: path) {
            let found = near.map { $0 + properties.origin(of: $0) }.joined(separator: " and ")
            return "replace \(found) with nested objects"
        }
        // Two texts are also equal if they are different Unicode forms of one.
        if near.contains(path) { return "copy the key from one place to the other" }
        let renamings = properties.renamings(of: near, to: path, isPart: place != nil)
        guard let first = renamings.first else { return nil }
        if let (found, meant) = first.variables { return "rename \(found) to \(meant)" }
        if let place {
            let found = renamings.map { $0.path + $0.place }.alternatives
            return "rename \(found) to \(path), correct \(place), or add it"
        }
        return "correct the path to \(renamings.map(\.path).alternatives)"
            + (renamings.count == 1 && first.path.last != "]" ? ", or rename that setting\(first.place)" : "")
    }

    /// Returns the optional of an expected type, or nil if that is described by words.
    private static func optional(of expected: String) -> String? {
        let name = expected.firstRange(of: " (").map { String(expected[..<$0.lowerBound]) } ?? expected
        return name.contains(" ") && !name.hasPrefix("[") ? nil : "\(name)?"
    }

    /// What other formats of settings read as a Bool.
    private static let truths = [
        "1": true, "yes": true, "y": true, "on": true, "0": false, "no": false, "n": false, "off": false,
    ]

    /// Returns the fix for a value that nearly fits.
    private static func hint(expected: String, found: ValueProblem.Found) -> String? {
        let isDuration = expected == TypeName.expected(Duration.self)
        switch found {
        case .text(""): return "give it a value, or remove it"
        case .number(let text), .string(let text), .text(let text):
            if isDuration, UInt32(text) != nil {
                return "write it with a unit, such as \"\(text)s\" or \"\(text)ms\""
            }
            if expected == "Bool", let value = truths[text.lowercased()] { return "write \(value)" }
            return DateText.isDay(text, expecting: expected) ? "add the time, such as \"\(text)T00:00:00Z\"" : nil
        default: return nil
        }
    }
}

extension PropertiesProblem {
    /// Whether its text says what to do, or the value is not at fault.
    fileprivate var saysWhatToDo: Bool {
        switch kind {
        case .value(.refused), .value(.quoted), .value(.otherForm), .value(.partOfOverride), .value(.setTwice): true
        default: false
        }
    }
}
