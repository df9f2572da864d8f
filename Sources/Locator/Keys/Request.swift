/// The requested key, and the place of the request.
///
/// An object, because every request passes it on to whatever it makes.
final class Request: Sendable {
    let key: Key
    let location: SourcePlace
    /// The path of the setting that gives the qualifier.
    let qualifierPath: String?

    init(key: Key, location: SourcePlace, qualifierPath: String? = nil) {
        self.key = key
        self.location = location
        self.qualifierPath = qualifierPath
    }
}
