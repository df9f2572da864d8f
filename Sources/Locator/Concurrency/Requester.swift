/// The type on whose behalf a request is made, while a wrapper or an injected function resolves a dependency.
struct Requester {
    /// The type of the registration that a ``Lazy``, ``Provider`` or ``Factory`` was injected into; nil for a wrapper,
    /// and outside of any factory closure.
    let type: (any Any.Type)?
    let location: SourcePlace
    /// Whether a wrapper makes the request.
    let isWrapper: Bool
    /// The number of frames of the thread when the request began.
    let depth: Int
}
