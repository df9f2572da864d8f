#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension LocatorError: LocalizedError {
    /// The complete message, for Foundation.
    public var errorDescription: String? { description }
}

extension ValidationError: LocalizedError {
    /// The complete message, for Foundation.
    public var errorDescription: String? { description }
}
