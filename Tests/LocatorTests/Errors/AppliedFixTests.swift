import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Store: Sendable {}
private struct Item: Sendable {}
private struct User: Sendable {}
private struct Limits: ConfigProperty {
    static let path = "limits"
    let most: Int
}

@Suite("A fix can be applied as it is written")
struct AppliedFixTests {
    /// The fix of the error for a request of a type, from a module with these registrations.
    private func fix<Value: Sendable>(
        _ type: Value.Type, with payload: Int? = nil, _ register: @escaping @Sendable (Registry) -> Void
    ) throws -> String? {
        let context = try AppContext().load(Module("Shop", register))
        let text = message {
            if let payload { _ = try context.resolve(type, with: payload) } else { _ = try context.resolve(type) }
        }
        let fix = "  fix: "
        return text?.split(separator: "\n").first { $0.hasPrefix(fix) }.map { String($0.dropFirst(fix.count)) }
    }

    @Test func scopeWithInputs_isOpenedWithThem() throws {
        let request = Scope("request", requiresOpening: true)
        let fix = try fix(Int.self) { registry in
            registry.input(User.self, scope: request)
            registry.register(scope: request) { 1 }
        }
        #expect(
            fix == "resolve it in a child that opens the scope: child(opening: .request, giving: …) "
                + "or within(.request, giving: …)")
    }

    @Test(arguments: ["http.request", "http-request", "2nd", "a b"])
    func scopeWhoseNameIsNoIdentifier_isWrittenAsAnInitializer(name: String) throws {
        let fix = try fix(Int.self) { $0.register(scope: Scope(name, requiresOpening: true)) { 1 } }
        #expect(
            fix == "resolve it in a child that opens the scope: child(opening: Scope(\"\(name)\")) "
                + "or within(Scope(\"\(name)\"))")
    }

    @Test func qualifier_isAnEscapedLiteral() throws {
        let fix = try fix(Bool.self) { registry in
            registry.register(Bool.self, parameterQualifiers: ["a \"b\""]) { (_: Int) in true }
        }
        #expect(
            fix == #"register it in a loaded module: registry.register(Int.self, qualifier: "a \"b\"") { … }"#)
    }

    @Test func typeThatIsDecoded_hasNoQualifier() throws {
        let fix = try fix(Bool.self) { registry in
            registry.register(Bool.self, parameterQualifiers: ["most"]) { (_: Limits) in true }
        }
        #expect(
            fix == "pass nil at its position in `parameterQualifiers:`, because Limits is decoded from settings; "
                + "the qualifiers have the order of the parameters")
    }

    @Test("A type that is decoded from settings is requested without a qualifier")
    func typeThatIsDecoded_isRequestedWithoutQualifier() throws {
        struct Screen {
            @Dependency(qualifier: "x", fileID: "Shop/Screen.swift", line: 5) var limits: Limits
        }
        struct Right {
            @Dependency var limits: Limits
        }
        let context = try AppContext().load(Module("Shop", properties: ["limits.most": 1, "x": "y"]))
        let screen = AppContext.withContext(context) { Screen() }
        #expect(
            message { _ = try screen.$limits.resolved() } == """
                Shop/Screen.swift:5: Limits "x" is not registered
                  fix: request it without a qualifier, because Limits is decoded from settings
                """)
        #expect(AppContext.withContext(context) { Right() }.limits.most == 1)
    }

    @Test("A setting of a plain type is read by its path")
    func settingInPlaceOfAQualifier_isRead() throws {
        let context = try AppContext().load(
            Module("Shop", properties: ["server.port": 80, "server.host": "a"]) { registry in
                registry.register(Bool.self, parameterQualifiers: ["server.host"], fileID: file, line: 2) {
                    (_: String) in true
                }
            })
        #expect(
            message { _ = try context.resolve(Int.self, qualifier: "server.port", fileID: file, line: 9) } == """
                Shop/Shop.swift:9: Int "server.port" is not registered
                  fix: "server.port" is a setting: read it with @PropertyValue("server.port"), or with value("server.port", as: Int.self)
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Bool needs String "server.host", which is not registered
                note: .init ignores default arguments; use a closure
                  fix: "server.host" is a setting: read it with @PropertyValue("server.host"), or with value("server.host", as: String.self)
                1 error in 1 registration
                """)
        #expect(try context.value("server.port", as: Int.self) == 80)
    }

    @Test func pathOfASetting_isAnEscapedLiteral() throws {
        let context = try AppContext().load(
            Module("Shop", properties: ["server": ["a.b": 80]]) { registry in
                registry.register(Bool.self, qualifier: "main") { true }
            })
        let path = #"server["a.b"]"#
        #expect(
            message { _ = try context.resolve(Int.self, qualifier: .named(path), fileID: file, line: 9) } == #"""
                Shop/Shop.swift:9: Int "server["a.b"]" is not registered
                  fix: "server[\"a.b\"]" is a setting: read it with @PropertyValue("server[\"a.b\"]"), or with value("server[\"a.b\"]", as: Int.self)
                """#)
        #expect(try context.value("server[\"a.b\"]", as: Int.self) == 80)
    }

    @Test func payloadOfAProtocol_isWrittenInParentheses() throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.factory(Item.self, fileID: file, line: 2) { (_: any Store, _: String) in Item() }
            })
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Item needs String, which is not registered
                  fix: if the caller passes it, declare all that it passes: given: (any Store).self, String.self; otherwise, pass a value in the factory closure, or take it from a ConfigProperty
                1 error in 1 registration
                """)
    }

    @Test func payloadsThatAreTooManyForTheirOwnParameters_areOneTuple() throws {
        let context = try AppContext().load(
            Module("Shop") { registry in
                registry.factory(Item.self, given: Int.self, Int.self, Int.self, fileID: file, line: 2) {
                    (_, _, _, _: String) in Item()
                }
            })
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Item needs String, which is not registered
                  fix: if the caller passes it, declare a payload with all that it passes: \
                { (payload: (Int, Int, Int, String)) in … }; otherwise, pass a value in the factory closure, or take it from a ConfigProperty
                1 error in 1 registration
                """)
    }
}
