internal import LocatorProperties

/// How to mend what errors and findings have in common.
enum Mend {
    static func registering(_ key: Key, modulesAreOff: Bool) -> String {
        let qualifier = key.shownQualifier.map { ", qualifier: \"\($0)\"" } ?? ""
        return (modulesAreOff ? "make the condition hold, or " : "")
            + "register it in a module that is loaded: registry.register(\(metatype(key.type))\(qualifier)) { … }"
    }

    /// How to correct a qualifier that is nearly one of those there are, or nil where none is near.
    ///
    /// - Parameters:
    ///   - path: The path of the setting that gives the qualifier, where one does.
    ///   - qualifiers: The qualifiers under which the type is registered, in quotes.
    static func correcting(_ name: String, given path: String? = nil, among qualifiers: [String]) -> String? {
        let near = NearNames.nearest(to: name, among: qualifiers.map { String($0.dropFirst().dropLast()) })
        if near.isEmpty { return nil }
        let names = near.map { "\"\($0)\"" }.joined(separator: " or ")
        return path.map { "set \"\($0)\" to \(names)" } ?? "correct the qualifier: \(names)"
    }

    static func registeringFactory(_ type: any Any.Type, payload: String) -> String {
        "register it: registry.factory(\(metatype(type))) { (payload: \(payload)) in … }"
    }

    static func choosing(_ key: Key, among candidates: [Key]) -> String {
        (candidates.contains { $0.qualifier != key.qualifier } ? "ask with a qualifier" : "give them qualifiers")
            + ", mark one of them .primary(), or ask for all with resolveAll"
    }

    /// How to hand in what is declared, and nothing else.
    static func handingIn(_ scopes: [Scope], _ problems: [InputProblem]) -> String {
        guard let scope = scopes.first else { return "name the scope that they are inputs of: child(opening: …)" }
        let isUndeclared = problems.contains { $0.kind == .undeclared && $0.notes.isEmpty }
        let handing = "hand in each declared input once, with `giving:`, or with `and: .input(…)`"
        guard isUndeclared, let problem = problems.first(where: { $0.kind == .undeclared && $0.notes.isEmpty }) else {
            return handing
        }
        let qualifier = problem.key.qualifier.map { ", qualifier: \"\($0)\"" } ?? ""
        return "\(handing), or declare it: registry.input(\(metatype(problem.key.type))\(qualifier), scope: \(scope))"
    }

    static let closingCircle =
        "ask for one of them lazily (Lazy<…>, or a wrapper), or close the circle with .injecting"

    /// How to close a circle that is closed by a `Lazy` or a wrapper already, which is read too early.
    static let usingLater =
        "read it only once both are made: not in an initializer or a closure that makes one of them"

    /// How to make at load what needs an asynchronous maker.
    static let makingAtLoad =
        "give it the scope .singleton, ask for a Lazy, or give it an asynchronous maker too"

    /// A type as it is written as an argument: `Int.self`, `(any Logger).self`.
    static func metatype(_ type: any Any.Type) -> String {
        let name = typeName(type)
        // Brackets hold what is inside of them together.
        let isTogether = name.hasPrefix("[") || !name.prefix { $0 != "<" }.contains(" ")
        return isTogether ? "\(name).self" : "(\(name)).self"
    }
}
