/// What a tree holds that reading must take care of; found out once, when the tree becomes a layer.
struct TreeScan {
    /// A key is `null`, which removes it.
    private(set) var hasNulls = false
    /// A string may hold a placeholder or an escaped one.
    private(set) var hasTemplates = false
    /// About how much memory the paths of all values take, each for itself.
    private(set) var pathBytes = 0

    /// What a step of a path takes besides the bytes of its key.
    private static let stepBytes = 16

    init(_ object: JSONObject) {
        visit(object, length: 0)
    }

    private mutating func visit(_ object: JSONObject, length: Int) {
        for index in object.indices {
            let length = length + object.key(at: index).utf8.count + Self.stepBytes
            pathBytes += length
            switch object.value(at: index).storage {
            case .null: hasNulls = true
            case .string(let text): visit(text)
            case .array(let array): visit(array, length: length)
            case .object(let object): visit(object, length: length)
            case .boolean, .integer, .decimal: break
            }
        }
    }

    /// Inside of arrays a `null` is an element, and so is a member of an object there.
    private mutating func visit(_ array: JSONArrayStorage, length: Int) {
        let length = length + Self.stepBytes
        pathBytes += length * array.elements.count
        for element in array.elements {
            visitElement(element, length: length)
        }
    }

    private mutating func visitElement(_ element: JSONValue, length: Int) {
        switch element.storage {
        case .string(let text): visit(text)
        case .array(let array): visit(array, length: length)
        case .object(let object):
            for index in object.indices {
                let length = length + object.key(at: index).utf8.count + Self.stepBytes
                pathBytes += length
                visitElement(object.value(at: index), length: length)
            }
        case .null, .boolean, .integer, .decimal: break
        }
    }

    @inline(__always)
    private mutating func visit(_ text: String) {
        if !hasTemplates, Template.isTemplate(text) { hasTemplates = true }
    }
}
