#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of an error that is not this package's own.
package enum ForeignErrorText {
    /// What an error says of itself.
    ///
    /// Passwords of URLs in it are masked. An error that says nothing is named by its type and case: reflection would
    /// show all that it holds, such as a payload with a password.
    package static func of(_ error: any Error) -> String {
        Redaction.maskingURLs(in: ownText(of: error))
    }

    private static func ownText(of error: any Error) -> String {
        // The type is asked, not the error: with Foundation, an error can be cast to `NSError`, which describes itself
        // whatever the error does.
        let type = type(of: error)
        if type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type {
            return "\(error)"
        }
        if error is DecodingError || error is EncodingError { return "\(error)" }
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        let mirror = Mirror(reflecting: error)
        guard let child = mirror.children.first else { return "\(error)" }
        let name = String(describing: type)
        guard mirror.displayStyle == .enum, let label = child.label else { return name }
        return "\(name).\(label)"
    }
}
