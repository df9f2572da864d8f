/// What a tree holds that reading must take care of; found out once, when the tree becomes a layer.
struct TreeScan {
    /// A key is `null`, which removes it.
    private(set) var hasNulls = false
    /// A string may hold a placeholder or an escaped one.
    private(set) var hasTemplates = false
    /// A key has text beyond ASCII, which may be written in another Unicode form elsewhere.
    private(set) var hasWideKeys = false
    /// About how much memory the paths of all values take, each for itself.
    private(set) var pathBytes = 0

    /// What a step of a path takes besides the bytes of its key.
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
        // Inside of arrays it is an element or a part of one, and removes nothing.
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
