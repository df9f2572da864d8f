import Locator

/// `mail` of the profile files.
struct MailSettings: ConfigProperty {
    static let path = "mail"
    let from: String
}
