import Locator

/// A way to register, as a row of a table.
struct Registering: Sendable {
    let register: @Sendable (Registry) -> Void

    init(_ register: @escaping @Sendable (Registry) -> Void) {
        self.register = register
    }
}
