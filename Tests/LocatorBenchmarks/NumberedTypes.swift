import Locator

// Ten types that an object's type is numbered with.
enum D0 {}
enum D1 {}
enum D2 {}
enum D3 {}
enum D4 {}
enum D5 {}
enum D6 {}
enum D7 {}
enum D8 {}
enum D9 {}

/// Two cache lines, so that objects with them do not share one.
struct Padding {
    private let first = (0, 0, 0, 0, 0, 0, 0, 0)
    private let second = (0, 0, 0, 0, 0, 0, 0, 0)
}

/// An object that is made by its type as a value: the runtime would look for a generic type at each `init`, longer than
/// what the rows measure.
class Numbering: @unchecked Sendable {
    // Sendable: neither this class nor the one below has anything but a constant.
    required init() {}
}

/// An object that is found by the type of its four digits; two of them do not share a cache line.
final class Numbered<Thousands, Hundreds, Tens, Ones>: Numbering, @unchecked Sendable {
    private let padding = Padding()
}

/// How something gets what it depends on.
enum Need {
    case parameter
    case resolver
    /// A wrapper that it reads while it is made.
    case wrapper
}

/// A type as a value that can be registered, asked for and stored.
class NumberedKey {
    var type: any Any.Type { preconditionFailure("a key has a type") }
    func register(in registry: Registry) {}
    /// Registers the type with a dependency on another.
    func register(in registry: Registry, needing next: NumberedKey, by need: Need) {}
    fileprivate func registerAsDependency<Dependent: Sendable>(
        of type: Dependent.Type, in registry: Registry, by need: Need, _ make: @escaping @Sendable () -> Dependent
    ) {}
    func resolve(from context: AppContext) {}
    func find(in table: AtomicTable) {}
    func insert(into table: LockedTable) {}
    func insert(into table: inout [ObjectIdentifier: AnyObject]) {}
}

private final class TypedKey<Value: AnyObject & Sendable>: NumberedKey {
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    override var type: any Any.Type { Value.self }
    override func register(in registry: Registry) { registry.register(Value.self, make) }
    override func register(in registry: Registry, needing next: NumberedKey, by need: Need) {
        next.registerAsDependency(of: Value.self, in: registry, by: need, make)
    }
    fileprivate override func registerAsDependency<Dependent: Sendable>(
        of type: Dependent.Type, in registry: Registry, by need: Need, _ make: @escaping @Sendable () -> Dependent
    ) {
        switch need {
        case .parameter:
            registry.register(type) { (_: Value) in make() }
        case .resolver:
            registry.register(type) { (resolver: Resolver) in
                blackHole(try resolver.resolve(Value.self))
                return make()
            }
        case .wrapper:
            registry.register(type) {
                let wrapper = Dependency<Value>()
                blackHole(wrapper())
                return make()
            }
        }
    }
    override func resolve(from context: AppContext) { blackHole(try! context.resolve(Value.self)) }
    override func find(in table: AtomicTable) { blackHole(table.find(Value.self)) }
    override func insert(into table: LockedTable) {
        let make = make
        table.insert(Value.self) { make() }
    }
    override func insert(into table: inout [ObjectIdentifier: AnyObject]) {
        table[ObjectIdentifier(Value.self)] = TableBox(make())
    }
}

/// Keys of the 10,000 types, in order.
nonisolated(unsafe) let numberedKeys: [NumberedKey] = {
    var keys: [NumberedKey] = []
    let digits: [any Any.Type] = [
        D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
    ]
    func ones<A, B, C>(_: A.Type, _: B.Type, _: C.Type) {
        func key<D>(_: D.Type) {
            let type: Numbering.Type = Numbered<A, B, C, D>.self
            keys.append(TypedKey { unsafeDowncast(type.init(), to: Numbered<A, B, C, D>.self) })
        }
        for digit in digits { _openExistential(digit, do: key) }
    }
    func tens<A, B>(_ a: A.Type, _ b: B.Type) {
        func next<C>(_ c: C.Type) { ones(a, b, c) }
        for digit in digits { _openExistential(digit, do: next) }
    }
    func hundreds<A>(_ a: A.Type) {
        func next<B>(_ b: B.Type) { tens(a, b) }
        for digit in digits { _openExistential(digit, do: next) }
    }
    for digit in digits { _openExistential(digit, do: hundreds) }
    return keys
}()
