extension Properties {
    /// Not available: the type of the setting is unknown.
    @available(
        *, unavailable,
        message: "name the type of the setting: try properties.value(\"server.port\", as: Int.self)"
    )
    public func value(_ path: String) { fatalError("this call does not compile") }
}
