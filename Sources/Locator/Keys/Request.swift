/// What is asked for, and where.
///
/// An object, because every request hands it on to whatever it makes.
final class Request: Sendable {
    let key: Key
    let location: SourcePlace
    /// The path of the property that gave the qualifier, or is to give it.
    let qualifierPath: String?

    init(key: Key, location: SourcePlace, qualifierPath: String? = nil) {
        self.key = key
        self.location = location
        self.qualifierPath = qualifierPath
    }
}
