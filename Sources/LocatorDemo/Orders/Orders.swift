/// An order: what was sold, and to whom.
struct Order: Sendable {
    let number: Int
    let customer: Customer
    let books: [Book]
    let total: Price
}

/// The orders of the shop.
protocol Orders: Sendable {
    func place(_ books: [Book], for customer: Customer) async throws -> Order
    func count(of customer: Customer) async -> Int
}

/// Stores the orders.
///
/// An actor is a service like any other.
actor OrderService: Orders {
    private let settings: OrderSettings
    private let customers: any Customers
    private let notifiers: [any Notifier]
    private var orders: [Order] = []

    init(settings: OrderSettings, customers: any Customers, notifiers: [any Notifier]) {
        self.settings = settings
        self.customers = customers
        self.notifiers = notifiers
    }

    func place(_ books: [Book], for customer: Customer) async throws -> Order {
        let discount = await customers.discount(for: customer)
        let total = books.map(\.price).reduce(Price(cents: 0), +).reduced(by: discount)
        guard total >= settings.minimum else { throw OrderTooSmall(total: total, minimum: settings.minimum) }
        let order = Order(number: orders.count + 1, customer: customer, books: books, total: total)
        orders.append(order)
        for notifier in notifiers { notifier.notify(customer, "order \(order.number) over \(order.total)") }
        return order
    }

    func count(of customer: Customer) -> Int {
        orders.filter { $0.customer == customer }.count
    }
}

/// The error for an order below the minimum.
struct OrderTooSmall: Error, CustomStringConvertible {
    let total: Price
    let minimum: Price

    var description: String { "an order over \(total) is below the minimum of \(minimum)" }
}
