internal import LocatorProperties

extension Lazy: WrittenShort, OpaqueToReflection {
    package static var shortName: String { "Lazy<\(typeName(Value.self))>" }
}

extension Provider: WrittenShort, OpaqueToReflection {
    package static var shortName: String { "Provider<\(typeName(Value.self))>" }
}

extension Factory: WrittenShort, OpaqueToReflection {
    package static var shortName: String { "Factory<\(typeName(Payload.self)), \(typeName(Value.self))>" }
}

extension AsyncFactory: WrittenShort, OpaqueToReflection {
    package static var shortName: String { "AsyncFactory<\(typeName(Payload.self)), \(typeName(Value.self))>" }
}
