extension Properties {
    /// Whether both are the result of the same load and the same stack of layers, so that no path can differ.
    ///
    /// Equal settings from two loads are not identical.
    package func isIdentical(to other: Properties) -> Bool { storage === other.storage && root == other.root }
}
