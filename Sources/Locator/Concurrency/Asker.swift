/// Who asks in whose name, while a wrapper or a function that was injected asks.
struct Asker {
    /// The type of the registration that a ``Lazy``, ``Provider`` or ``Factory`` was injected into; nil for a wrapper.
    let type: (any Any.Type)?
    let location: SourcePlace
    /// How many frames the thread had when it began to ask.
    let depth: Int
}
