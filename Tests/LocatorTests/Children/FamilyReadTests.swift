import Dispatch
import Foundation
import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

/// Parents and children that read each other while a change comes in between.
@Suite("Instances that contexts of a family read from each other last as long as the requests, and follow changes")
struct FamilyReadTests {
    final class Part: Sendable {
        let name: String
        private let ended = Late(false)

        init(_ name: String) { self.name = name }

        func end() { ended.value = true }

        var hasEnded: Bool { ended.value ?? false }
    }

    final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    final class Report: Sendable {
        let whole: Whole
        init(_ whole: Whole) { self.whole = whole }
    }

    struct Page {
        let report: Report
    }

    /// Runs an action on another thread, and waits for it.
    static func elsewhere(_ action: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            action()
            done.signal()
        }.start()
        done.wait()
    }

    static func part(_ name: String) -> Module {
        Module(name) { $0.register { Part(name) }.onDispose { $0.end() } }
    }

    /// Where a fake is pushed that sets the parent's instance aside.
    enum Place: CaseIterable {
        case child, parent, childAndRequest
    }

    @Test(arguments: Place.allCases)
    func reload_whileAnInstanceThatReadAChildIsSetAside(_ place: Place) throws {
        let wrapper = Late<Dependency<Part>>()
        let files = MemoryFiles(#"{ "size": 1 }"#)
        let server = AppContext()
        try server.loadProperties(files.source)
        try server.load(
            Self.part("real"), Module("Whole") { $0.register { Whole(try #require(wrapper.value).resolved()) } })
        let child = try server.child()
        wrapper.value = AppContext.withContext(child) { Dependency<Part>() }
        defer { wrapper.value = nil }
        #expect(try server.resolve(Whole.self).part.name == "real")
        try (place == .parent ? server : child).push(Self.part("fake"))
        if place == .childAndRequest { #expect(try server.resolve(Whole.self).part.name == "fake") }
        files.content = #"{ "size": 2 }"#
        try server.reloadProperties()
        #expect(try server.resolve(Whole.self).part.name == "fake")
        (place == .parent ? server : child).pop()
        #expect(try server.resolve(Whole.self).part.name == "real")
    }

    @Test(arguments: [false, true])
    func overtakenRequest_getsTheInstanceOfItsState_andItReturns(_ isPoppedInside: Bool) throws {
        let action = Late<@Sendable () -> Void>()
        let server = try AppContext().load(
            Self.part("real"),
            Module("Report") { registry in
                registry.register(Whole.init)
                registry.register(scope: .request, Report.init)
                registry.register(Int.self, scope: .prototype) {
                    if let run = action.value {
                        action.value = nil
                        Self.elsewhere(run)
                    }
                    return 1
                }
                registry.register(Page.self, scope: .prototype) { (_: Int, report: Report) in Page(report: report) }
            })
        let child = try server.child(opening: .request)
        let report = try child.resolve(Report.self)
        action.value = {
            let push = try? server.push(Self.part("fake"))
            if isPoppedInside { push?.pop() }
        }
        #expect(try child.resolve(Page.self).report === report)
        if !isPoppedInside {
            #expect(try child.resolve(Report.self).whole.part.name == "fake")
            server.pop()
        }
        #expect(try child.resolve(Report.self) === report)
    }

    /// How the part that a factory closure has read from another context leaves that context.
    enum Leaving: CaseIterable {
        case pop, reset
    }

    @Test(arguments: [false, true], Leaving.allCases)
    func whatAClosureReadsInAnotherContext_lastsUntilItsRequestEnds(_ isOfChild: Bool, _ leaving: Leaving) throws {
        let source = Late<AppContext>()
        let shop = Module("Shop") { registry in
            registry.register(Whole.self, scope: .prototype) {
                let inside = try #require(source.value)
                let part = try inside.resolve(Part.self)
                Self.elsewhere {
                    switch leaving {
                    case .pop: inside.pop()
                    case .reset: try? inside.reset()
                    }
                }
                #expect(!part.hasEnded)
                return Whole(part)
            }
        }
        let server = try AppContext().load(shop)
        let child = try server.child()
        let (inside, outside) = isOfChild ? (child, server) : (server, child)
        try inside.push(Self.part("own"))
        source.value = inside
        defer { source.value = nil }
        let whole = try outside.resolve(Whole.self)
        #expect(whole.part.hasEnded)
    }

    @Test("If a child changes after a parent's closure has read it, the parent makes the instance again")
    func childChangesWhileTheParentMakesAnInstance() throws {
        final class Label: Sendable {
            let part: Part?
            init(_ part: Part?) { self.part = part }
        }
        let (wrapper, action) = (Late<Dependency<Part?>>(), Late<@Sendable () -> Void>())
        let server = try AppContext().load(
            Module("Labels") { registry in
                registry.register {
                    let part = try #require(wrapper.value).resolved()
                    if let run = action.value {
                        action.value = nil
                        Self.elsewhere(run)
                    }
                    return Label(part)
                }
            })
        let child = try server.child()
        wrapper.value = AppContext.withContext(child) { Dependency<Part?>() }
        defer { wrapper.value = nil }
        action.value = { #expect(throws: Never.self) { try child.push(Self.part("own")) } }
        #expect(try server.resolve(Label.self).part == nil)
        let label = try server.resolve(Label.self)
        #expect(label.part === (try child.resolve(Part.self)))
        #expect(try server.resolve(Label.self) === label)
    }

    /// One child makes the parent's instance from an instance that the other child does not get.
    @Test("An overtaken request of one child gets an instance that was made from another child's")
    func overtakenRequestOfOneChild_getsWhatWasMadeFromAnotherChild() throws {
        final class Label: Sendable {
            let part: Part
            private let ended = Late(false)
            init(_ part: Part) { self.part = part }
            func end() { ended.value = true }
            var hasEnded: Bool { ended.value ?? false }
        }
        struct Sheet {
            let part: Part
            let label: Label
        }
        let wrapper = Late<Dependency<Part>>()
        let server = try AppContext().load(
            Module("Labels") { registry in
                registry.register(scope: .request) { Part("own") }
                registry.register {
                    let context = AppContext.current
                    Self.elsewhere {
                        #expect(throws: Never.self) { try context.push(Module("Text") { $0.register { "text" } }) }
                    }
                    return Label(try #require(wrapper.value).resolved())
                }
                .onDispose { $0.end() }
                registry.register(Sheet.self, scope: .prototype) { (part: Part, label: Label) in
                    Sheet(part: part, label: label)
                }
            })
        let child = try server.child(opening: .request)
        wrapper.value = AppContext.withContext(child) { Dependency<Part>() }
        defer { wrapper.value = nil }
        let sheet = try server.child().resolve(Sheet.self)
        #expect(sheet.part === (try server.resolve(Part.self)))
        #expect(sheet.label.part === (try child.resolve(Part.self)))
        #expect(sheet.label === (try server.resolve(Label.self)))
        #expect(!sheet.label.hasEnded)
    }
}
