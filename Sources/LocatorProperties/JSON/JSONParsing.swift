extension JSONValue {
    /// The deepest nesting of arrays and objects that is read.
    public static let nestingLimit = 512

    /// Reads a value from UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value, with white space around it.
    ///   - file: The name of the file for error messages.
    public init(parsing bytes: some Sequence<UInt8>, file: String? = nil) throws(PropertiesError) {
        throw PropertiesError(PropertiesProblem(.syntax(.empty), file: file))
    }

    /// Reads a value from a string.
    ///
    /// - Parameters:
    ///   - text: One JSON value, with white space around it.
    ///   - file: The name of the file for error messages.
    public init(parsing text: String, file: String? = nil) throws(PropertiesError) {
        throw PropertiesError(PropertiesProblem(.syntax(.empty), file: file))
    }

    /// Reads a value from UTF-8 bytes; its nodes carry the number of their source.
    package init(
        parsing bytes: UnsafeRawBufferPointer, file: String?, sourceID: UInt16
    ) throws(PropertiesError) {
        throw PropertiesError(PropertiesProblem(.syntax(.empty), file: file))
    }
}
