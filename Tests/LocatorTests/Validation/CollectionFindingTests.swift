import Locator
import Testing

private protocol Notifier: Sendable {}
private struct Mail: Notifier {}
private struct Paper: Notifier {}
private struct Orders: Sendable {
    let notifiers: [any Notifier]
}

private let paper = Module("Paper") { $0.register((any Notifier).self) { Paper() } }
private let mail = Module("Mail") { $0.register((any Notifier).self) { Mail() } }
private let orders = Module("Orders") { $0.register(Orders.init) }

@Suite("A collection with elements from several modules is not a mistake")
struct CollectionFindingTests {
    @Test func elementBehindAnother_isNotHidden_whenACollectionRequestsIt() throws {
        let context = AppContext()
        try context.load(paper, mail, orders)
        #expect(context.validate().findings.isEmpty)
    }

    @Test func registrationBehindAnother_isHidden_whenNoCollectionRequestsIt() throws {
        let context = AppContext()
        try context.load(paper, mail)
        #expect(context.validate().findings.map(\.kind) == [.shadowed])
    }

    @Test func arrayThatIsEmpty_becauseItsElementsAreReplaced_saysSo() throws {
        let text = try report(
            on: Module("Silent") { registry in
                registry.replaceAll((any Notifier).self)
                registry.register((any Notifier).self, qualifier: "paper") { Paper() }
            },
            mail,
            Module("Mail by name") { $0.register((any Notifier).self, qualifier: "mail") { Mail() } },
            Module("Lists", fileID: "Shop/Lists.swift", line: 1) { registry in
                registry.register(Int.self, parameterQualifiers: ["mail"], fileID: "Shop/Lists.swift", line: 2) {
                    (notifiers: [any Notifier]) in notifiers.count
                }
            })
        #expect(
            text == """
                Shop/Lists.swift:2: warning: Int gets an empty array, because replaceAll((any Notifier).self) \
                in module "Silent" leaves out every registration of any Notifier "mail"
                  fix: register an element in module "Silent" or before it, pass the array in a closure, \
                or declare that it may be empty: registry.mayBeEmpty((any Notifier).self)
                1 warning in 4 registrations
                """)
    }

    @Test func misspelledQualifierOfAnArray_isCorrected() throws {
        let text = try report(
            on: Module("Mail") { registry in
                registry.register((any Notifier).self, qualifier: "mail", fileID: "Shop/Lists.swift", line: 1) {
                    Mail()
                }
                registry.register(Int.self, parameterQualifiers: ["mial"], fileID: "Shop/Lists.swift", line: 2) {
                    (notifiers: [any Notifier]) in notifiers.count
                }
            })
        #expect(
            text == """
                Shop/Lists.swift:2: warning: Int gets an empty array, because there are no registrations of any \
                Notifier "mial"
                Shop/Lists.swift:1: note: near: any Notifier "mail"
                  fix: change the qualifier to "mail"
                1 warning in 2 registrations
                """)
    }

    @Test func qualifierOfAnArray_comesFromASetting() throws {
        let text = try report(
            on: Module("Settings", properties: ["notifiers": "letter"]),
            Module("Mail") { registry in
                registry.register((any Notifier).self, qualifier: "mail", fileID: "Shop/Lists.swift", line: 1) {
                    Mail()
                }
                registry.register(
                    Int.self, parameterQualifiers: [.property("notifiers")], fileID: "Shop/Lists.swift", line: 2
                ) { (notifiers: [any Notifier]) in notifiers.count }
            })
        #expect(
            text == """
                Shop/Lists.swift:2: warning: Int gets an empty array, because there are no registrations of any \
                Notifier "letter"
                note: the qualifier is the value of setting "notifiers" (module "Settings")
                Shop/Lists.swift:1: note: near: any Notifier "mail"
                  fix: set "notifiers" to "mail", or register an element, pass the array in a closure, \
                or declare that it may be empty: registry.mayBeEmpty((any Notifier).self)
                1 warning in 2 registrations
                """)
    }

    @Test func explanationOfAnArray_namesEveryElement() throws {
        let context = AppContext()
        try context.load(paper, mail)
        let explanation = context.explain([any Notifier].self)
        #expect(explanation.answers.map(\.module) == ["Paper", "Mail"])
        #expect(explanation.problem == nil)
        #expect(context.explain((any Notifier)?.self).answers.map(\.module) == ["Paper"])
    }

    private struct Server: ConfigProperty {
        static let path = "servers"
        let host: String
    }

    @Test func arrayOfADecodedType_saysThatOnlyRegistrationsAreElements() throws {
        let text = try report(
            on: Module("Lists", fileID: "Shop/Lists.swift", line: 1) { registry in
                registry.register(Int.self, fileID: "Shop/Lists.swift", line: 2) { (servers: [Server]) in servers.count
                }
            })
        #expect(
            text == """
                Shop/Lists.swift:2: warning: Int gets an empty array, because there are no registrations of Server
                  fix: an array has only registrations: decode it as a part of a ConfigProperty, or register Server as an element
                1 warning in 1 registration
                """)
    }

    @Test func arrayOfResolvers_isAnError_thatSaysToTakeOne() throws {
        let text = try report(
            on: Module("Lists") { registry in
                registry.register(Int.self, fileID: "Shop/Lists.swift", line: 2) { (_: [Resolver]) in 1 }
            })
        #expect(
            text == """
                Shop/Lists.swift:2: error: Int takes an array of Resolver, which cannot be registered
                  fix: take one Resolver: it is never registered, so an array of it is empty
                1 error in 1 registration
                """)
    }

    @Test func arrayThatIsEmpty_becauseItsElementsWithQualifiersAreReplaced_saysSo() throws {
        let text = try report(
            on: Module("Silent") { $0.replaceAll((any Notifier).self) },
            Module("Lists", fileID: "Shop/Lists.swift", line: 1) { registry in
                registry.register((any Notifier).self, qualifier: "paper") { Paper() }
                registry.register(fileID: "Shop/Lists.swift", line: 2, Orders.init)
            })
        #expect(
            text == """
                Shop/Lists.swift:2: warning: Orders gets an empty array, because replaceAll((any Notifier).self) in module "Silent" leaves out every registration of any Notifier
                  fix: register an element in module "Silent" or before it, pass the array in a closure, or declare that it may be empty: registry.mayBeEmpty((any Notifier).self)
                1 warning in 2 registrations
                """)
    }

    @Test func arrayOfLazyElements_isAnError_becauseTheseAreNeverRegistered() throws {
        let text = try report(
            on: mail,
            Module("Lists", fileID: "Shop/Lists.swift", line: 1) { registry in
                registry.register(Int.self, fileID: "Shop/Lists.swift", line: 2) { (notifiers: [Lazy<any Notifier>]) in
                    notifiers.count
                }
            })
        #expect(
            text == """
                Shop/Lists.swift:2: error: Int takes an array of Lazy<any Notifier>, which cannot be registered
                  fix: take [any Notifier], or something that resolves this array later: a Lazy<any Notifier> cannot be registered, so it is never an element
                1 error in 2 registrations
                """)
    }
}
