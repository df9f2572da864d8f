#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ContextGraph {
    /// Returns the graph as JSON.
    ///
    /// Equal graphs have the same JSON.
    ///
    /// - Throws: `EncodingError`. This does not happen in practice.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Creates a graph from JSON.
    ///
    /// Graphs of later versions are not read.
    ///
    /// - Throws: ``UnknownVersion`` if a later version of the library wrote the JSON; `DecodingError` if it is not a
    ///   graph.
    public init(json: Data) throws {
        let decoder = JSONDecoder()
        let version = try decoder.decode(Version.self, from: json).version
        guard version <= Self.currentVersion else { throw UnknownVersion(version: version) }
        self = try decoder.decode(ContextGraph.self, from: json)
    }

    private struct Version: Decodable {
        let version: Int
    }

    /// The error for JSON that a later version of the library wrote.
    public struct UnknownVersion: Error, Sendable, Hashable, CustomStringConvertible {
        /// The version of the JSON.
        public let version: Int

        /// The version and a suggested fix.
        public var description: String {
            """
            the graph has format \(version), and this library reads formats up to \(ContextGraph.currentVersion)
              fix: read it with the version of the library that wrote it
            """
        }
    }
}

extension Finding.Kind {
    /// Decodes a kind, including its name in graphs of version 0.1.
    ///
    /// - Throws: `DecodingError` if no kind has the name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let kind = Self(rawValue: Self.formerNames[name] ?? name) else {
            // This is the text of the standard library. A decoder of settings recognizes an enumeration by it, and
            // lists the kinds.
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Cannot initialize Kind from invalid String value \(name)")
        }
        self = kind
    }

    private static let formerNames = [
        "captive": "captiveDependency", "circle": "circularDependency", "near": "similarName",
        "taking": "parameterQualifiers",
    ]
}

extension ContextGraph.UnknownVersion: LocalizedError {
    /// The complete message, for Foundation.
    public var errorDescription: String? { description }
}
