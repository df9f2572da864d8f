import Locator

@propertyWrapper
struct Logged<Value> {
    var wrappedValue: Value
}

struct Composed {
    @Logged @PropertyValue("server.port") var port: Int
}
