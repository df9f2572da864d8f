#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error of this package, whose text shows no values of secrets.
package protocol MaskedError: Error {}

/// The text of an error that does not come from this package.
package enum ForeignErrorText {
    /// Returns the description of an error.
    ///
    /// Recognizable secrets are masked. An error without a description is named by its type and case, because reflection
    /// would show everything it contains, such as a payload with a password. An `EncodingError` is shown without its
    /// value for the same reason, and so is a `DecodingError` below a key that names a secret.
    package static func of(_ error: any Error) -> String {
        let text = ownText(of: error)
        return error is any MaskedError ? Redaction.maskingURLs(in: text) : Redaction.maskingSentence(text)
    }

    private static func ownText(of error: any Error) -> String {
        // Its own text describes the value that could not be encoded, with everything it contains.
        if case .invalidValue(_, let context)? = error as? EncodingError {
            return codingText(of: error, at: context.codingPath, context.debugDescription)
        }
        if let context = (error as? DecodingError)?.context, isSecret(context.codingPath) {
            return codingText(of: error, at: context.codingPath, context.debugDescription)
        }
        // The type is checked, not the error: with Foundation, any error can be cast to `NSError`, which always has a
        // description.
        let type = type(of: error)
        if type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type {
            return "\(error)"
        }
        if error is DecodingError { return "\(error)" }
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        let mirror = Mirror(reflecting: error)
        guard let child = mirror.children.first else { return "\(error)" }
        let name = String(describing: type)
        guard mirror.displayStyle == .enum, let label = child.label else { return name }
        return "\(name).\(label)"
    }

    /// The text of an error of an encoder or a decoder, without the value.
    ///
    /// Below a key that names a secret, the description may quote the value.
    private static func codingText(of error: any Error, at path: [any CodingKey], _ description: String) -> String {
        let name = Mirror(reflecting: error).children.first?.label ?? ""
        let place = path.isEmpty ? "" : " Path: \(path.map(\.stringValue).joined(separator: "."))."
        return "\(type(of: error)).\(name).\(place) Debug description: \(isSecret(path) ? Redaction.mask : description)"
    }

    private static func isSecret(_ path: [any CodingKey]) -> Bool {
        path.contains { SecretWords.isSecret($0.stringValue) }
    }
}
