/// The properties of a tree that affect reading.
///
/// They are determined once, when the tree becomes a layer.
struct TreeScan {
    /// Whether a key is `null`, which removes it.
    private(set) var hasNulls = false
    /// Whether a string may contain a placeholder or an escaped placeholder.
    private(set) var hasTemplates = false
    /// Whether a key has characters beyond ASCII.
    ///
    /// It may be written in another Unicode form elsewhere.
    private(set) var hasWideKeys = false
    /// The approximate memory for the paths of all values, each stored separately.
    private(set) var pathBytes = 0

    /// The size of a path's step in addition to the bytes of its key.
    private static let stepBytes = 16

    init(_ object: JSONObject) {
        visit(object, length: 0, isInArray: false)
    }

    private mutating func visit(_ object: JSONObject, length: Int, isInArray: Bool) {
        for index in object.indices {
            let key = object.key(at: index)
            let length = length + key.utf8.count + Self.stepBytes
            hasWideKeys = hasWideKeys || KeyForms.isWide(key)
            pathBytes += length
            visit(object.value(at: index), length: length, isInArray: isInArray)
        }
    }

    private mutating func visit(_ value: JSONValue, length: Int, isInArray: Bool) {
        switch value.storage {
        // Inside an array, `null` is an element or a part of one, and removes nothing.
        case .null: hasNulls = hasNulls || !isInArray
        case .string(let text): hasTemplates = hasTemplates || Template.isTemplate(text)
        case .array(let array):
            let length = length + Self.stepBytes
            pathBytes += length * array.elements.count
            for element in array.elements { visit(element, length: length, isInArray: true) }
        case .object(let object): visit(object, length: length, isInArray: isInArray)
        case .boolean, .integer, .decimal: break
        }
    }
}
