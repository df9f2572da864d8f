/// Who makes a request in whose name, while a wrapper or a function that was injected resolves something.
struct Requester {
    /// The type of the registration that a ``Lazy``, ``Provider`` or ``Factory`` was injected into; nil for a wrapper.
    let type: (any Any.Type)?
    let location: SourcePlace
    /// How many frames the thread had when the request began.
    let depth: Int
}
