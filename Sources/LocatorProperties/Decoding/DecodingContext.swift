#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What decoding needs to know about a tree, created once per tree.
///
/// The tree itself is complete: placeholders are resolved, and nodes whose text came from outside a file carry
/// ``JSONNodeFlags/text``.
package final class DecodingContext: Sendable {
    /// The rules for the secrets of nodes that no load has marked.
    let secrets: SecretRules

    private let urls: URLTable

    /// Creates a context.
    ///
    /// A node that carries ``JSONNodeFlags/secret`` is secret regardless of the rules. A context can share the cached
    /// URLs of another context, because they are valid for any tree.
    package init(secrets: SecretRules = SecretRules(), sharing other: DecodingContext? = nil) {
        self.secrets = secrets
        urls = other?.urls ?? URLTable()
    }

    /// The context for a tree without secret rules.
    static let plain = DecodingContext()

    func url(of node: JSONValue) -> URL? {
        guard case .string(let text) = node.storage else { return nil }
        return urls.url(of: text)
    }
}
