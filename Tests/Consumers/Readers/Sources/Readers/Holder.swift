import Locator

/// Wrappers that threads share.
final class Holder: Sendable {
    let leaf = Dependency<Leaf>()
    let named = Dependency<Leaf>(qualifier: "named")
    let service = Dependency<any Service>()
    let shape = Dependency<any Shape>()
    let large = Dependency<any Shape>(qualifier: "large")
    let pair = Dependency<Pair>()
    let optional = Dependency<(any Service)?>()
    let session = Dependency<Session>()
    let leaves = DependencyArray<Leaf>()
    let shapes = DependencyArray<any Shape>()
    let name = PropertyValue<String>("server.name")
    let ports = PropertyValue<[Int]>("server.ports")
}

/// Wrappers as an app has them; each is read for the first time by its one reader.
struct Screen {
    @Dependency var leaf: Leaf
    @Dependency var service: any Service
    @Dependency var shape: any Shape
    @DependencyArray var shapes: [any Shape]
    @PropertyValue("server.name") var name: String
}

final class Panel {
    @Dependency var leaf: Leaf
}
