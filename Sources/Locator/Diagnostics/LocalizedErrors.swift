#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

internal import LocatorProperties

extension LocatorError: LocalizedError, MaskedError {
    /// The complete message, for Foundation.
    public var errorDescription: String? { description }
}

extension ValidationError: LocalizedError, MaskedError {
    /// The complete message, for Foundation.
    public var errorDescription: String? { description }
}
