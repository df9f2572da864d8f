extension JSONValue {
    /// The maximum nesting of arrays and objects.
    public static let nestingLimit = Limits.nesting

    /// Parses a value from UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - bytes: A JSON value, optionally surrounded by white space.
    ///   - file: The name of the file for error messages.
    /// - Throws: ``PropertiesError`` with the line and column of each problem: invalid syntax, a duplicate key, or
    ///   nesting that is too deep.
    public init(parsing bytes: some Sequence<UInt8>, file: String? = nil) throws(PropertiesError) {
        let result =
            bytes.withContiguousStorageIfAvailable { Self.parse(UnsafeRawBufferPointer($0), file: file) }
            ?? Array(bytes).withUnsafeBytes { Self.parse($0, file: file) }
        self = try result.get()
    }

    /// Parses a value from a string.
    ///
    /// - Parameters:
    ///   - text: A JSON value, optionally surrounded by white space.
    ///   - file: The name of the file for error messages.
    /// - Throws: ``PropertiesError`` with the line and column of each problem: invalid syntax, a duplicate key, or
    ///   nesting that is too deep.
    public init(parsing text: String, file: String? = nil) throws(PropertiesError) {
        self = try JSONText.withBytes(of: text) { Self.parse($0, file: file) }.get()
    }

    /// Parses a value from a text within another source, which gives all nodes the same flags.
    ///
    /// Errors do not quote the text at secret paths.
    init(
        parsing text: String, flags: JSONNodeFlags, isSecret: (PropertyPath) -> Bool
    ) throws(PropertiesError) {
        self = try JSONText.withBytes(of: text) {
            Self.parse($0, file: nil, flags: flags, isSecret: isSecret)
        }.get()
    }

    /// Parses a value from UTF-8 bytes.
    ///
    /// Errors do not quote the text at secret paths.
    package init(
        parsing bytes: [UInt8], file: String?, limit: Int = .max, isSecret: (PropertyPath) -> Bool
    ) throws(PropertiesError) {
        self = try bytes.withUnsafeBytes { Self.parse($0, file: file, limit: limit, isSecret: isSecret) }.get()
    }

    /// Parses the value of a file, which counts toward the budget of a load.
    init(parsing bytes: [UInt8], file: String, budget: inout Budget) throws(PropertiesError) {
        self = try bytes.withUnsafeBytes {
            Self.parse($0, file: file, limit: budget.values, take: { budget.takeValues($0) })
        }.get()
    }

    /// Parses the value of a variable, which counts toward the budget of a load.
    init(
        parsing text: String, file: String, budget: inout Budget, isSecret: (PropertyPath) -> Bool
    ) throws(PropertiesError) {
        self = try JSONText.withBytes(of: text) {
            Self.parse($0, file: file, limit: budget.values, isSecret: isSecret, take: { budget.takeValues($0) })
        }.get()
    }

    @inline(never)
    private static func parse(
        _ bytes: UnsafeRawBufferPointer, file: String?, flags: JSONNodeFlags = [], limit: Int = .max,
        isSecret: (PropertyPath) -> Bool = { $0.hasKey(where: SecretWords.isSecret) },
        take: (_ values: Int) -> Void = { _ in }
    ) -> Result<JSONValue, PropertiesError> {
        // Safe because the memory is not bound to another type while the reader accesses it as bytes.
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else {
            let position = JSONPosition(line: 1, column: 1)
            return .failure(PropertiesError(.syntax(.empty), file: file, position: position))
        }
        var reader = JSONReader(start, count: bytes.count, flags: flags, limit: limit)
        defer { take(limit - reader.remaining) }
        var failures: [JSONFailure] = []
        do throws(JSONFailure) {
            let value = try reader.read()
            if reader.duplicates.isEmpty { return .success(value) }
        } catch {
            let redacted = error.problem.redacted
            let isShown =
                redacted == error.problem
                || !isSecret(reader.openPath()) && !SecretScan.isInPrivateKey(reader.offset, of: bytes)
            failures = [isShown ? error : JSONFailure(problem: redacted, position: error.position)]
        }
        failures += reader.duplicates
        failures.sort { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
        let problems = failures.map { PropertiesProblem(.syntax($0.problem), file: file, position: $0.position) }
        return .failure(PropertiesError(problems) ?? PropertiesError(.syntax(.empty), file: file))
    }
}
