import Locator

package protocol Catalog: Sendable {}
package protocol Logger: Sendable {}
package protocol Clock: Sendable {}
package protocol Shelf<Item>: Sendable { associatedtype Item }

package struct Books: Catalog, Shelf, Component {
    package typealias Item = Int

    package static func register(in registry: Registry) {
        registry.register(Books.self) { Books() }
            .alias((any Catalog).self) { $0 }
            .alias((any Shelf<Int>).self) { $0 }
    }
}

package struct Printer: Logger {
    package init() {}
}

package struct Receipt: Sendable {
    let number: Int
}

package struct Theme: ConfigProperty {
    package static let path = "theme"
    let color: String
}

/// Constants of another target than that which uses them.
package enum Keys {
    package static let url = "server.url"
    package static var port: String { "server.port" }
}

extension Qualifier {
    package static let file: Qualifier = "file"
    package static let console = Qualifier.named("console")
}

extension Module {
    package static let shop = Module("Shop", components: [Books.self])

    package static let logging = Module("Logging", including: [.files]) { registry in
        registry.register((any Logger).self, qualifier: .console) { Printer() }
        registry.factory(Receipt.self) { (number: Int) in Receipt(number: number) }
    }

    /// Only `dev` writes files.
    package static let files = Module("Files", when: .profile("dev")) { registry in
        registry.register((any Logger).self, qualifier: .file) { Printer() }
    }
}
