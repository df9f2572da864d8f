/// A type that `dump` and other reflection show only by its description, if it has one.
///
/// Types that refer to a context or its parts lead to settings, the environment, and instances, and therefore to secrets.
protocol OpaqueToReflection: CustomReflectable {}

extension OpaqueToReflection {
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Module: OpaqueToReflection {}
extension Condition: OpaqueToReflection {}
extension Key: OpaqueToReflection {}
extension ContextEvent: OpaqueToReflection {}
extension LocatorError: OpaqueToReflection {}
extension Registry: OpaqueToReflection {}
extension Registration: OpaqueToReflection {}
extension UnretainedRegistration: OpaqueToReflection {}
extension ModuleSelection: OpaqueToReflection {}

extension LocatorError.Kind: CustomStringConvertible, OpaqueToReflection {
    /// The text of an error of this kind, without a request.
    public var description: String { LocatorError(self).description }
}
