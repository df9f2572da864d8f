import LocatorProperties

/// The error of decoding a JSON text, or `decoded …`.
func decodingMessage<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
    do throws(PropertiesError) {
        let value = try JSONValue(parsing: text, file: "f.json").decode(type, at: "key", in: DecodingContext())
        return "decoded \(value)"
    } catch {
        return error.naming("f.json").description
    }
}

extension PropertiesError {
    /// The error, with a source for each problem that has none.
    func naming(_ source: String) -> PropertiesError {
        let problems = problems.map { problem in
            var problem = problem
            problem.file = problem.file ?? source
            return problem
        }
        return PropertiesError(problems) ?? self
    }
}
