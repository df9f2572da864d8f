import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

private protocol Logger: Sendable { var name: String { get } }
private struct Named: Logger { let name: String }
private struct Report: Sendable {
    let title: String
    let logger: any Logger
}
private struct Later: Sendable { let logger: Lazy<any Logger> }

private struct Screen {
    @Dependency(fileID: "Shop/Screen.swift", line: 5) var logger: any Logger
}
private struct Fixed {
    @Dependency(qualifier: "file") var logger: any Logger
    @DependencyArray var loggers: [any Logger]
}

/// The fix of an ambiguous request says where to write the qualifier, which depends on the kind of request.
@Suite("An ambiguous request is reported with a fix that fits the request")
struct ChoosingTests {
    private static let qualified = Module("Loggers") { registry in
        registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { Named(name: "file") }
        registry.register((any Logger).self, qualifier: "console", fileID: file, line: 3) { Named(name: "console") }
    }
    private static let plain = Module("Loggers") { registry in
        registry.register((any Logger).self, fileID: file, line: 2) { Named(name: "file") }
        registry.register((any Logger).self, fileID: file, line: 3) { Named(name: "console") }
    }

    private typealias Asking = (AppContext) throws -> Void

    /// The last line of the error.
    private func fix(_ module: Module, _ others: Module..., asking ask: (AppContext) throws -> Void) throws -> String? {
        let context = try AppContext().load([module] + others)
        return withExtendedLifetime(context) {
            message { try ask(context) }?.split(separator: "\n").last.map(String.init)
        }
    }

    @Test func request() throws {
        let ask: (AppContext) throws -> Void = { _ = try $0.resolve((any Logger).self) }
        #expect(
            try fix(Self.qualified, asking: ask)
                == "  fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
        #expect(
            try fix(Self.plain, asking: ask)
                == "  fix: give them qualifiers and request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
    }

    @Test("Registrations with one and the same qualifier need different ones")
    func sameQualifier() throws {
        let same = Module("Loggers") { registry in
            registry.register((any Logger).self, qualifier: "file") { Named(name: "a") }
            registry.register((any Logger).self, qualifier: "file") { Named(name: "b") }
        }
        #expect(
            try fix(same) { _ = try $0.resolve((any Logger).self, qualifier: "file") }
                == "  fix: give them different qualifiers and request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
        #expect(
            try fix(same) { _ = try $0.resolve((any Logger).self) }
                == "  fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
    }

    @Test func wrapper() throws {
        let ask: (AppContext) throws -> Void = { context in
            let screen = AppContext.withContext(context) { Screen() }
            _ = try screen.$logger.resolved()
        }
        #expect(
            try fix(Self.qualified, asking: ask)
                == """
                fix: choose one with `@Dependency(qualifier: "file")`, mark one of them .primary(), \
                or get all of them with @DependencyArray
                """.indented)
        #expect(
            try fix(Self.plain, asking: ask)
                == """
                fix: give them qualifiers and choose one with `@Dependency(qualifier: "…")`, \
                mark one of them .primary(), or get all of them with @DependencyArray
                """.indented)
    }

    @Test func parameter_namesItsPosition() throws {
        let reports = Module("Reports") { registry in
            registry.register(String.self) { "news" }
            registry.register(fileID: file, line: 9, Report.init)
        }
        let ask: (AppContext) throws -> Void = { _ = try $0.resolve(Report.self) }
        #expect(
            try fix(Self.qualified, reports, asking: ask)
                == """
                fix: choose one with `parameterQualifiers: [nil, "file"]` in the registration, mark one of them .primary(), \
                or take all of them as [any Logger]
                """.indented)
        #expect(
            try fix(Self.plain, reports, asking: ask)
                == """
                fix: give them qualifiers and choose one with `parameterQualifiers: [nil, "…"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                """.indented)
    }

    private struct Copying: Sendable { init(_: any Logger, _: String, _: any Logger) {} }

    @Test("All parameters that match several registrations get a qualifier")
    func parameters() throws {
        let copying = Module("Copying") { registry in
            registry.register(String.self) { "news" }
            registry.register(fileID: file, line: 9, Copying.init)
        }
        #expect(
            try fix(Self.qualified, copying) { _ = try $0.resolve(Copying.self) }
                == """
                fix: choose one with `parameterQualifiers: ["file", nil, "file"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                """.indented)
    }

    private struct Syncing: Sendable {
        init(_: any Logger, _: [any Logger], _: Lazy<[any Logger]>, _: Lazy<any Logger>) {}
    }

    @Test("A parameter that takes all of them gets no qualifier")
    func parameters_besideArrays() throws {
        let syncing = Module("Syncing") { $0.register(fileID: file, line: 9, Syncing.init) }
        #expect(
            try fix(Self.qualified, syncing) { _ = try $0.resolve(Syncing.self) }
                == """
                fix: choose one with `parameterQualifiers: ["file", nil, nil, "file"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                """.indented)
    }

    private struct Writing: Sendable {
        init(_: Factory<String, Report>, _: Factory<Int, Report>, _: Report) {}
    }

    @Test("A factory that takes another payload gets no qualifier")
    func parameters_besideOtherFactories() throws {
        let factories = Module("Factories") { registry in
            let report = Report(title: "", logger: Named(name: ""))
            registry.factory(Report.self, qualifier: "short") { (_: Int) in report }
            registry.factory(Report.self, qualifier: "long") { (_: Int) in report }
            registry.factory(Report.self) { (_: String) in report }
            registry.register(Report.self) { report }
            registry.register(Writing.init)
        }
        let fix = try AppContext().load(factories).validate().errors.first?.suggestion
        #expect(
            fix == """
                choose one with `parameterQualifiers: [nil, "short", nil]` in the registration, or mark one of them .primary()
                """)
    }

    @Test("A parameter with the qualifier of a setting keeps it if another parameter is ambiguous")
    func parameters_withASetting() throws {
        let copying = Module("Copying", properties: ["storage": "file"]) { registry in
            registry.register(String.self) { "news" }
            registry.register(
                parameterQualifiers: [.property("storage"), nil, nil], fileID: file, line: 9, Copying.init)
        }
        #expect(
            try fix(Self.qualified, copying) { _ = try $0.resolve(Copying.self) }
                == """
                fix: choose one with `parameterQualifiers: [.property("storage"), nil, "file"]` in the registration, \
                mark one of them .primary(), or take all of them as [any Logger]
                """.indented)
    }

    @Test("A qualifier is written as in source code")
    func qualifierWithQuotes() throws {
        let quoted = Module("Quoted") { registry in
            registry.register(Int.self, qualifier: #"the "first""#) { 1 }
            registry.register(Int.self, qualifier: #"the "second""#) { 2 }
        }
        let fix = try fix(quoted) { _ = try $0.resolve(Int.self, qualifier: #"the "frst""#) }
        #expect(fix == #"fix: change the qualifier to "the \"first\"""#.indented)
    }

    @Test func parameter_ofAFactory_countsWhatTheContextGives() throws {
        let reports = Module("Reports") { registry in
            registry.factory(Report.self, given: String.self, fileID: file, line: 9) { title, logger in
                Report(title: title, logger: logger)
            }
        }
        #expect(
            try fix(Self.qualified, reports) { _ = try $0.resolve(Report.self, with: "news") }
                == """
                fix: choose one with `parameterQualifiers: ["file"]` in the registration, mark one of them .primary(), \
                or take all of them as [any Logger]
                """.indented)
    }

    @Test func parameter_thatIsReadLater() throws {
        let later = Module("Later") { $0.register(fileID: file, line: 9, Later.init) }
        #expect(
            try fix(Self.qualified, later) { _ = try $0.resolve(Later.self).logger.resolved() }
                == """
                fix: choose one with `parameterQualifiers:` in the registration, mark one of them .primary(), \
                or take all of them as [any Logger]
                """.indented)
    }

    @Test func request_ofALazy_isARequest() throws {
        #expect(
            try fix(Self.qualified) { _ = try $0.resolve(Lazy<any Logger>.self).resolved() }
                == "  fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
        #expect(
            try fix(Self.plain) { _ = try $0.resolve(Provider<any Logger>.self)() }
                == "  fix: give them qualifiers and request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
    }

    @Test func request_ofALazyByAResolver_isARequest() throws {
        let later = Module("Later") { registry in
            registry.register(fileID: file, line: 9) { (resolver: Resolver) in
                Later(logger: try resolver.resolve(Lazy<any Logger>.self))
            }
            registry.register(Int.self) { (resolver: Resolver) in
                try resolver.resolve(Provider<any Logger>.self)().name.count
            }
        }
        for ask in [{ _ = try $0.resolve(Later.self).logger.resolved() }, { _ = try $0.resolve(Int.self) }] as [Asking]
        {
            #expect(
                try fix(Self.qualified, later, asking: ask)
                    == """
                    fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll
                    """.indented)
        }
    }

    @Test func parameter_ofADecorator() throws {
        let decorated = Module("Decorated") { registry in
            registry.register(String.self) { "news" }
            registry.decorate(String.self, fileID: file, line: 9) { (base, logger: any Logger) in base + logger.name }
        }
        #expect(
            try fix(Self.qualified, decorated) { _ = try $0.resolve(String.self) }
                == """
                fix: choose one with `parameterQualifiers: ["file"]` in the registration, mark one of them .primary(), \
                or take all of them as [any Logger]
                """.indented)
    }

    @Test func parameter_ofAnInjection_hasNoQualifier() throws {
        let injected = Module("Injected") { registry in
            registry.register(String.self, fileID: file, line: 9) { "news" }.injecting { (_, _: any Logger) in }
        }
        #expect(
            try fix(Self.qualified, injected) { _ = try $0.resolve(String.self) }
                == """
                fix: choose one with `resolve((any Logger).self, qualifier: "file")` of a Resolver, \
                mark one of them .primary(), or take all of them as [any Logger]
                """.indented)
    }

    @Test func resolver_isARequestOfItsOwn() throws {
        let asking = Module("Asking") { registry in
            registry.register(String.self, fileID: file, line: 9) { (resolver: Resolver) in
                try resolver.resolve((any Logger).self).name
            }
        }
        #expect(
            try fix(Self.qualified, asking) { _ = try $0.resolve(String.self) }
                == "  fix: request one by its qualifier, mark one of them .primary(), or get all of them with resolveAll"
        )
    }

    @Test("Two keys of one registration cannot be told apart by marking it")
    func oneRegistration() throws {
        let module = Module("Loggers") { registry in
            registry.register(Named.self, qualifier: "file", fileID: file, line: 2) { Named(name: "file") }
                .alias(Named.self, qualifier: "default") { $0 }
        }
        #expect(
            try fix(module) { _ = try $0.resolve(Named.self) }
                == "  fix: request one by its qualifier, or get all of them with resolveAll")
    }

    @Test("An alias of several registrations is named in the error, and cannot choose by itself")
    func alias() throws {
        let module = Module("Loggers") { registry in
            registry.register(Named.self, fileID: file, line: 1) { Named(name: "file") }.alias((any Logger).self) { $0 }
        }
        let fakes = Module("Fakes") { registry in
            for line: UInt in 2...3 { registry.register(Named.self, fileID: file, line: line) { Named(name: "fake") } }
        }
        let context = try AppContext().load(module)
        try context.push(fakes)
        #expect(
            message { try context.resolve((any Logger).self, fileID: file, line: 5) } == """
                Shop/Shop.swift:5: 2 registrations match Named, and none of them is primary
                  candidate: Named (Shop/Shop.swift:2)
                  candidate: Named (Shop/Shop.swift:3)
                  any Logger is an alias of it
                  fix: give all but one of them a qualifier, or mark one of them .primary()
                """)
    }

    @Test("An alias of registrations with one and the same qualifier")
    func aliasWithAQualifier() throws {
        let module = Module("Loggers") { registry in
            registry.register(Named.self, qualifier: "file") { Named(name: "file") }.alias((any Logger).self) { $0 }
        }
        let context = try AppContext().load(module)
        try context.push(
            Module("Fakes") { registry in
                for _ in 1...2 { registry.register(Named.self, qualifier: "file") { Named(name: "fake") } }
            })
        #expect(
            message { try context.resolve((any Logger).self, qualifier: "file") }?
                .hasSuffix("  fix: give all but one of them another qualifier, or mark one of them .primary()") == true)
    }

    private struct First: Sendable { init(_: Second) {} }
    private struct Second: Sendable { init(_: First) {} }

    @Test("Prototypes in a cycle cannot be passed by injections, each of which would make the next one")
    func prototypesInACycle() throws {
        let module = Module("Cycle") { registry in
            registry.register(scope: .prototype, First.init)
            registry.register(scope: .prototype, Second.init)
        }
        let text = "resolve one of them lazily (Lazy<…> or a wrapper)"
        #expect(try fix(module) { _ = try $0.resolve(First.self) } == "  fix: \(text)")
        #expect(try AppContext().load(module).validate().errors.map(\.suggestion) == [text])
    }

    private struct Page: Sendable {}

    @Test("The product of an asynchronous factory needs an AsyncFactory")
    func asynchronousFactory() throws {
        let module = Module("Pages") { registry in
            registry.factory(Page.self, async: { (_: Int) in Page() })
            registry.factory(Page.self, async: { (_: Bool) in Page() })
            registry.register(Bool.self) { (_: Page) in true }
        }
        #expect(
            try fix(module) { _ = try $0.resolve(Page.self) }
                == "  fix: call `try await resolve(Page.self, with: …)`, or take an AsyncFactory<Int, Page> or "
                + "AsyncFactory<Bool, Page>")
        #expect(
            try AppContext().load(module).validate().errors.map(\.suggestion) == [
                "take an AsyncFactory<Int, Page> or AsyncFactory<Bool, Page>"
            ])
    }

    @Test func theFixes_workWhenTheyAreFollowed() throws {
        let reports = Module("Reports") { registry in
            registry.register(String.self) { "news" }
            registry.register(parameterQualifiers: [nil, "file"], Report.init)
            registry.register(Int.self) { 1 }.injecting { (_, resolver: Resolver) in
                _ = try resolver.resolve((any Logger).self, qualifier: "file")
            }
        }
        let context = try AppContext().load(Self.qualified, reports)
        defer { withExtendedLifetime(context) {} }
        #expect(try context.resolve(Report.self).logger.name == "file")
        #expect(try context.resolve(Int.self) == 1)
        let fixed = AppContext.withContext(context) { Fixed() }
        #expect(fixed.logger.name == "file")
        #expect(fixed.loggers.map(\.name) == ["file", "console"])
    }
}

extension String {
    /// The text with the indentation of a fix.
    fileprivate var indented: String { "  \(self)" }
}
