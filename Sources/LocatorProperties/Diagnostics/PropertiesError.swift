#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One or more problems with settings, each with its place.
///
/// ```swift
/// do throws(PropertiesError) {
///     properties = try Properties.load(from: "Config")
/// } catch {
///     for problem in error.problems { print(problem) }       // application.json:4:12: …
/// }
/// ```
public struct PropertiesError: Error, Sendable, Hashable {
    /// The problems, in the order they were found.
    ///
    /// Never empty.
    public let problems: [PropertiesProblem]

    /// Creates an error with one problem.
    @inline(never)
    public init(_ problem: PropertiesProblem) {
        problems = [problem]
    }

    /// Creates an error with several problems, or nil if there are none.
    public init?(_ problems: [PropertiesProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    /// Creates an error with a problem of this kind.
    @inline(never)
    package init(
        _ kind: PropertiesProblem.Kind, path: String? = nil, file: String? = nil, position: JSONPosition? = nil
    ) {
        self.init(PropertiesProblem(kind, path: path, file: file, position: position))
    }
}

extension PropertiesError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError, MaskedError {
    /// The problems, one per line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }

    /// The same text as `description`, which Swift prints for an uncaught error.
    public var debugDescription: String { description }

    /// The same text as `description`, for Foundation.
    public var errorDescription: String? { description }
}
