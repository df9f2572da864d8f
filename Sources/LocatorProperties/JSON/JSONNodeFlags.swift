/// What a node's history allows and forbids; kept in a byte of every node, so that it survives merging.
package struct JSONNodeFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The node is a text from outside any file, so it may convert to the requested number, Bool, array or object.
    package static let text = JSONNodeFlags(rawValue: 1)
    /// An environment variable gave the node, or a part of it.
    package static let environment = JSONNodeFlags(rawValue: 2)
    /// A placeholder gave the node, or a part of it.
    package static let placeholder = JSONNodeFlags(rawValue: 4)
    /// The node, or what it was built from, must never be printed.
    package static let secret = JSONNodeFlags(rawValue: 8)
    /// A part of the node's text must never be printed: the password of a URL, a member of the JSON it holds.
    package static let holdsSecret = JSONNodeFlags(rawValue: 16)
    /// The node is the text of a file with nothing else in it, or has such a text as a part: it is never expanded, nor
    /// read as JSON.
    package static let verbatim = JSONNodeFlags(rawValue: 32)
}
