import Locator

/// The text of the error that a function throws, or nil.
func message<Result>(_ body: () throws -> Result) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// The text of the error that a function throws, or nil.
nonisolated(nonsending) func message<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
) async -> String? {
    do {
        _ = try await body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// The library's error that a function throws, or nil if it throws none or another.
func locatorError<Result>(_ body: () throws -> Result) -> LocatorError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? LocatorError
    }
}

/// The library's error that a function throws, or nil if it throws none or another.
nonisolated(nonsending) func locatorError<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
) async -> LocatorError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? LocatorError
    }
}
