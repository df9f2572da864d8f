/// Identifies who makes a request, while a wrapper or an injected function makes it.
struct Asker {
    /// The type of the registration that a ``Lazy``, ``Provider`` or ``Factory`` was injected into; nil for a wrapper.
    let type: (any Any.Type)?
    let location: SourcePlace
    /// How many frames the thread had when the request began.
    let depth: Int
}
