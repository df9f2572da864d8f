extension Array {
    /// Takes out all elements.
    mutating func takeAll() -> [Element] {
        if isEmpty { return [] }
        defer { self = [] }
        return self
    }
}
