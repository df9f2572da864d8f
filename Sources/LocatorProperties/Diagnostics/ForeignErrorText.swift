#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of an error that does not come from this package.
package enum ForeignErrorText {
    /// Returns the description of an error.
    ///
    /// Passwords in URLs are masked. An error without a description is named by its type and case, because reflection
    /// would show everything it contains, such as a payload with a password.
    package static func of(_ error: any Error) -> String {
        Redaction.maskingURLs(in: ownText(of: error))
    }

    private static func ownText(of error: any Error) -> String {
        // The type is checked, not the error: with Foundation, any error can be cast to `NSError`, which always has a
        // description.
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
