/// A way to notify a customer.
///
/// The shop uses all of them.
protocol Notifier: Sendable {
    var name: String { get }
    func notify(_ customer: Customer, _ text: String)
}

/// Prints receipts, in every profile.
struct ReceiptPrinter: Notifier {
    let name = "receipt printer"

    func notify(_ customer: Customer, _ text: String) {
        print("    receipt for \(customer.name): \(text)")
    }
}

/// Represents a notifier that sends mail.
///
/// Its module is on if `mail.enabled` is true.
struct MailNotifier: Notifier {
    let name = "mail"
    let settings: MailSettings

    func notify(_ customer: Customer, _ text: String) {
        print("    mail from \(settings.from) to \(customer.name): \(text)")
    }
}

/// Keeps mail from leaving a developer's machine.
///
/// Its module is on in profile `dev`.
struct MailSandbox: Notifier {
    let name = "mail sandbox"

    func notify(_ customer: Customer, _ text: String) {
        print("    kept in the sandbox, not sent to \(customer.name): \(text)")
    }
}
