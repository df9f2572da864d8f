internal import LocatorProperties

extension Lazy: WrittenShort {
    package static var shortName: String { "Lazy<\(typeName(Value.self))>" }
}

extension Provider: WrittenShort {
    package static var shortName: String { "Provider<\(typeName(Value.self))>" }
}

extension Factory: WrittenShort {
    package static var shortName: String { "Factory<\(typeName(Payload.self)), \(typeName(Value.self))>" }
}

extension AsyncFactory: WrittenShort {
    package static var shortName: String { "AsyncFactory<\(typeName(Payload.self)), \(typeName(Value.self))>" }
}
