/// The key that a dependency needs, without wrapper types: `Lazy<(any Catalog)?>` needs `any Catalog`.
struct Wanted {
    /// The type that must be registered.
    private(set) var type: TypeText
    private(set) var isOptional = false
    /// Whether any number of registrations may match.
    private(set) var isCollection: Bool
    private(set) var payload: TypeText?
    /// Whether the factory may be asynchronous.
    private(set) var isAwaited = false

    init(_ use: WrapperUse) {
        type = use.type
        isCollection = use.kind == .collection
        while true {
            switch (type.head, type.arguments.count) {
            case ("Swift.Optional", 1):
                isOptional = true
                type = type.arguments[0]
            case ("Locator.Lazy", 1), ("Locator.Provider", 1), ("Swift.Array", 1):
                if type.head == "Swift.Array" { isCollection = true }
                type = type.arguments[0]
            case ("Locator.Factory", 2), ("Locator.AsyncFactory", 2):
                isAwaited = type.head == "Locator.AsyncFactory"
                payload = type.arguments[0]
                type = type.arguments[1]
                return
            default:
                return
            }
        }
    }
}
