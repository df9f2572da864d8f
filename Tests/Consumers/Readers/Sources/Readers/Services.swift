import Locator

/// An object that knows whether it is alive, because its end clears a mark.
class Living: @unchecked Sendable {
    // Sendable: `sign` changes only at the end, when nobody may be reading it any more. That is what is tested here. The
    // subclasses add constants.

    private static let alive = 0x5EED_CAFE
    private var sign = Living.alive

    /// Ends the program if the object has already ended.
    func check() {
        guard sign == Self.alive else { fatalError("An object was given that has ended") }
    }

    deinit {
        check()
        sign = 0
    }
}

protocol Service: AnyObject, Sendable {
    func check()
}

protocol Shape: Sendable {
    var living: Living { get }
}

final class Leaf: Living, @unchecked Sendable {
    let number = 7
}

final class Node: Living, Service, @unchecked Sendable {}

/// A value in an existential of its own size.
struct Small: Shape {
    let living: Living
}

/// A value that an existential stores in a separate block of memory.
struct Large: Shape {
    let living: Living
    let others: (Living, Living, Living)
}

struct Pair: Sendable {
    let leaf: Leaf
    let number: Int
}

final class Job {
    let leaf: Leaf
    let shape: any Shape

    init(leaf: Leaf, shape: any Shape) {
        self.leaf = leaf
        self.shape = shape
    }
}

struct Order: Sendable {
    let number: Int
}

final class Desk: Living, @unchecked Sendable {
    let leaf: Lazy<Leaf>
    let pair: Lazy<Pair>
    let job: Provider<Job>
    let order: Factory<Order, Job>

    init(leaf: Lazy<Leaf>, pair: Lazy<Pair>, job: Provider<Job>, order: Factory<Order, Job>) {
        self.leaf = leaf
        self.pair = pair
        self.job = job
        self.order = order
    }
}

final class Visit: Living, @unchecked Sendable {
    let leaf: Leaf

    init(leaf: Leaf) {
        self.leaf = leaf
    }
}

final class Ticket: Living, @unchecked Sendable {}

final class Answer: Living, @unchecked Sendable {
    let order: Order
    let ticket: Ticket

    init(order: Order, ticket: Ticket) {
        self.order = order
        self.ticket = ticket
    }
}

extension Scope {
    static let request = Scope("request", requiresOpening: true)
    static let session = Scope("session")
    static let visit = Scope("visit")
}

/// Returns a module with new registrations of everything that is read.
func services(_ name: String) -> Module {
    Module(name, properties: ["server": ["name": "\(name), a text too long to be kept in place", "ports": [1, 2, 3]]]) {
        registry in
        registry.register { Leaf() }
        registry.register(qualifier: "named") { Leaf() }
        registry.register((any Service).self) { Node() }
        registry.register((any Shape).self) { Small(living: Living()) }
        registry.register((any Shape).self, qualifier: "large") {
            Large(living: Living(), others: (Living(), Living(), Living()))
        }
        registry.register { (leaf: Leaf) in Pair(leaf: leaf, number: 7) }
        registry.register(scope: .session) { (leaf: Leaf) in Session(leaf: leaf) }
        registry.register(scope: .visit, Visit.init)
        registry.register(scope: .prototype, Job.init)
        registry.factory { (order: Order, leaf: Leaf, shape: any Shape) in Job(leaf: leaf, shape: shape) }
        registry.register(Desk.init)
        registry.input(Order.self, scope: .request)
        registry.input(Ticket.self, qualifier: "request", scope: .request)
        registry.register(scope: .request, parameterQualifiers: [nil, "request"], Answer.init)
    }
}

final class Session: Living, @unchecked Sendable {
    let leaf: Leaf

    init(leaf: Leaf) {
        self.leaf = leaf
    }
}
