import LocatorProperties

/// The message with which decoding a JSON text fails, or `decoded …` where it does not.
func decodingMessage<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
    do throws(PropertiesError) {
        let value = try JSONValue(parsing: text, file: "f.json").decode(type, at: "key", in: DecodingContext())
        return "decoded \(value)"
    } catch {
        return error.naming("f.json").description
    }
}

extension PropertiesError {
    /// The error with a source in each problem that has none, which settings add after decoding.
    func naming(_ source: String) -> PropertiesError {
        let problems = problems.map { problem in
            var problem = problem
            problem.file = problem.file ?? source
            return problem
        }
        return PropertiesError(problems) ?? self
    }
}
