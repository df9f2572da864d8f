import Locator

/// A customer of the shop.
struct Customer: Hashable, Sendable {
    let name: String
}

/// The customers of the shop, with their discounts.
protocol Customers: Sendable {
    func discount(for customer: Customer) async -> Double
}

/// Customers need orders, and orders need customers: `Lazy` resolves the orders when they are needed first.
final class CustomerService: Customers {
    private let orders: Lazy<any Orders>

    init(orders: Lazy<any Orders>) {
        self.orders = orders
    }

    func discount(for customer: Customer) async -> Double {
        await orders().count(of: customer) > 0 ? 0.1 : 0
    }
}
