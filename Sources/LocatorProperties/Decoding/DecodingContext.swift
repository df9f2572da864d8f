#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What decoding needs to know about the tree it reads from; made once for a tree.
///
/// The tree itself is complete: placeholders are resolved, and nodes whose text came from outside a file carry
/// ``JSONNodeFlags/text``.
package final class DecodingContext: Sendable {
    /// What must not be printed of a node that no tree of settings has marked.
    let secrets: SecretRules

    private let urls: URLTable

    /// Creates a context.
    ///
    /// A node that carries ``JSONNodeFlags/secret`` is secret whatever the rules say. A context may share what another
    /// one remembers, which holds for any tree.
    package init(secrets: SecretRules = SecretRules(), sharing other: DecodingContext? = nil) {
        self.secrets = secrets
        urls = other?.urls ?? URLTable()
    }

    /// The context of a tree that stands alone.
    static let plain = DecodingContext()

    /// The URL of a node; nil if it is not one.
    func url(of node: JSONValue) -> URL? {
        guard case .string(let text) = node.storage else { return nil }
        return urls.url(of: text)
    }
}
