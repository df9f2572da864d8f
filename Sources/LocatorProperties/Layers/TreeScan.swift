/// What a tree holds that reading must take care of; found out once, when the tree becomes a layer.
struct TreeScan {
    /// A key is `null`, which removes it.
    private(set) var hasNulls = false
    /// A string may hold a placeholder or an escaped one.
    private(set) var hasTemplates = false

    init(_ object: JSONObject) {
        visit(object)
    }

    private mutating func visit(_ object: JSONObject) {
        for index in object.indices {
            switch object.value(at: index).storage {
            case .null: hasNulls = true
            case .string(let text): visit(text)
            case .array(let array): visit(array)
            case .object(let object): visit(object)
            case .boolean, .integer, .decimal: break
            }
        }
    }

    /// Inside of arrays a `null` is an element, and so is a member of an object there.
    private mutating func visit(_ array: JSONArrayStorage) {
        for element in array.elements {
            visitElement(element)
        }
    }

    private mutating func visitElement(_ element: JSONValue) {
        switch element.storage {
        case .string(let text): visit(text)
        case .array(let array): visit(array)
        case .object(let object):
            for index in object.indices { visitElement(object.value(at: index)) }
        case .null, .boolean, .integer, .decimal: break
        }
    }

    @inline(__always)
    private mutating func visit(_ text: String) {
        if !hasTemplates, Template.isTemplate(text) { hasTemplates = true }
    }
}
