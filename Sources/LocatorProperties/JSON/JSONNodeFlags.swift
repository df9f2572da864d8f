/// The properties of a node that depend on its origin.
///
/// They are stored in a byte of every node, so that they survive merging.
package struct JSONNodeFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The node is a text from outside any file, so it may convert to the requested number, Bool, array, or object.
    package static let text = JSONNodeFlags(rawValue: 1)
    /// The node, or a part of it, comes from an environment variable.
    package static let environment = JSONNodeFlags(rawValue: 2)
    /// The node, or a part of it, comes from a placeholder.
    package static let placeholder = JSONNodeFlags(rawValue: 4)
    /// The node, or a value it was built from, must never be printed.
    package static let secret = JSONNodeFlags(rawValue: 8)
    /// A part of the node's text must never be printed, such as the password of a URL or a member of its JSON.
    package static let holdsSecret = JSONNodeFlags(rawValue: 16)
    /// The node, or a part of it, is the whole text of a file.
    ///
    /// Such a text is never expanded and never parsed as JSON.
    package static let verbatim = JSONNodeFlags(rawValue: 32)
    /// The object hides what lower layers have at its path, because it has replaced a `null` or another value in its own
    /// layer.
    package static let whole = JSONNodeFlags(rawValue: 64)
}
