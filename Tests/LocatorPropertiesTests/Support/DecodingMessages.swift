import LocatorProperties

/// The message with which decoding a JSON text fails, or `decoded …` where it does not.
func decodingMessage<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
    do throws(PropertiesError) {
        let value = try JSONValue(parsing: text, file: "f.json").decode(type, at: "key", in: fileContext)
        return "decoded \(value)"
    } catch {
        return error.description
    }
}

/// Every node comes from one file, as after loading it.
let fileContext = DecodingContext(sourceName: { _ in "f.json" })
