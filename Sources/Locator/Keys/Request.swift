/// A requested key, and the place of the request.
///
/// It is an object, because every request passes it on to each instance that it makes.
final class Request: Sendable {
    let key: Key
    let location: SourcePlace
    /// The path of the setting that contains the qualifier.
    let qualifierPath: String?

    init(key: Key, location: SourcePlace, qualifierPath: String? = nil) {
        self.key = key
        self.location = location
        self.qualifierPath = qualifierPath
    }
}
