import Foundation
import Locator
import TestSupport
import Testing

@Suite("A reloader reloads the properties whenever their files change", .watchdog)
struct ReloaderTests {
    private let clock = ManualClock()
    private let log = Log()
    private let folder: TemporaryFolder
    private let context = AppContext()

    init() throws {
        folder = try TemporaryFolder(["application.json": #"{ "limit": 1 }"#])
        try context.loadProperties(from: folder.path, environment: [:])
    }

    private func trigger() -> ReloadTrigger { .changes(every: .seconds(5), clock: clock) }

    /// Runs a reloader while `body` runs.
    ///
    /// The log has what it reported to observers.
    private func reloading(
        _ context: AppContext? = nil, validating: Bool = false, _ body: () async throws -> Void
    ) async throws {
        let context = context ?? self.context
        let folder = folder.path
        let observation = context.observe { [log] event in
            switch event {
            case .propertiesLoaded: log("loaded")
            case .reloadFailed: log("\(event)".replacingOccurrences(of: folder, with: "Config"))
            default: break
            }
        }
        defer { observation.end() }
        let reloader = context.reloadProperties(on: trigger(), validating: validating)
        let task = Task { await reloader.run() }
        await clock.sleeping()
        try await body()
        task.cancel()
        await task.value
    }

    /// Lets the reloader check the files once.
    private func look() async {
        clock.advance(by: .seconds(5))
        await clock.sleeping()
    }

    @Test("It checks after each interval, and not before")
    func change_isTakenOver() async throws {
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            clock.advance(by: .seconds(4))
            #expect(try context.value("limit") == 1)
            clock.advance(by: .seconds(1))
            await clock.sleeping()
            #expect(try context.value("limit") == 2)
            try folder.write(#"{ "limit": 3 }"#, to: "application.json")
            await look()
            #expect(try context.value("limit") == 3)
        }
        #expect(log.take() == ["loaded", "loaded"])
    }

    @Test("If no byte has changed, it does nothing, even if a file was written")
    func noChange_doesNothing() async throws {
        try await reloading {
            await look()
            try folder.write(#"{ "limit": 1 }"#, to: "application.json")
            try folder.write(#"{ "limit": 9 }"#, to: "application-dev.json")
            await look()
        }
        #expect(log.take() == [])
    }

    @Test("Changes between the load and the start of the reloader are seen")
    func changeBeforeStart_isSeen() async throws {
        try folder.write(#"{ "limit": 2 }"#, to: "application.json")
        try await reloading {
            await look()
            let limit = try context.value("limit", as: Int.self)
            #expect(limit == 2)
        }
    }

    @Test("A bad file is reported once and the old properties stay; the corrected file is applied")
    func badFile_isReportedOnce() async throws {
        try await reloading {
            try folder.write(#"{ "limit": 2, }"#, to: "application.json")
            await look()
            await look()
            #expect(try context.value("limit") == 1)
            #expect(
                log.take() == [
                    """
                    reload failed: application.json:1:15: expected another key after ',', \
                    found '}'; JSON has no trailing commas
                    """
                ])
            try folder.write(#"{ "limit": 2, ] }"#, to: "application.json")
            await look()
            #expect(log.take().count == 1)
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            #expect(try context.value("limit") == 2)
            #expect(log.take() == ["loaded"])
            try FileManager.default.removeItem(atPath: "\(folder.path)/application.json")
            await look()
            await look()
            #expect(try context.value("limit") == 2)
            #expect(
                log.take() == [
                    """
                    reload failed: Config/application.json: there is no such file; its folder has no JSON files. \
                    Add it (an empty object {} will do), or list the files to load: files: […]
                    """
                ])
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            #expect(log.take() == ["loaded"])
        }
    }

    @Test("A factory closure of scope .always that fails with the new settings is reported once, and nothing changes")
    func failingClosure_isReported() async throws {
        struct Refusal: Error, CustomStringConvertible {
            let description = "the disk is full"
        }
        let made = Counter()
        try context.load(
            Module("Failing", when: .property("limit", equals: 2)) { registry in
                registry.register(Int.self, scope: .always) { () throws -> Int in
                    made.next()
                    throw Refusal()
                }
            })
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            await look()
            #expect(try context.value("limit") == 1)
            #expect(log.take().map { $0.contains("the disk is full") } == [true])
            #expect(made.value == 1)
            try folder.write(#"{ "limit": 3 }"#, to: "application.json")
            await look()
            #expect(try context.value("limit") == 3)
        }
    }

    @Test("A change of a file that was loaded during a reload that failed is seen")
    func loadDuringFailingReload_isFollowed() async throws {
        struct Refusal: Error {}
        let more = "\(folder.path)/more.json"
        try folder.write(#"{ "size": 1 }"#, to: "more.json")
        let context = context
        let runs = Counter()
        try context.load(
            Module("Failing", when: .property("limit", equals: 2)) { registry in
                registry.register(Int.self, scope: .always) { () throws -> Int in
                    if runs.next() == 1 { _ = try onThread { try context.loadProperties(files: [more]) } }
                    throw Refusal()
                }
            })
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            #expect(try context.value("size") == 1)
            try folder.write(#"{ "size": 2, "limit": 3 }"#, to: "more.json")
            await look()
            #expect(try context.value("size") == 2)
        }
    }

    @Test("A factory closure that uses another context, which has ended, does not end the reloader")
    func closureOfEndedContext_isReported() async throws {
        let ended = try AppContext().within { child in child }
        try context.load(
            Module("Failing", when: .property("limit", equals: 2)) { registry in
                registry.register(Int.self, scope: .always) {
                    try ended.resolve(Int.self, fileID: "Shop/Main.swift", line: 7)
                }
            })
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            #expect(
                log.take() == [
                    """
                    reload failed: Shop/Main.swift:7: Int was requested, but its context has ended
                      `within` has returned, and has ended its child, even if a response body is written later
                      fix: open a child with `child(pushing: …)`, and keep that child for as long as it is used
                    """
                ])
            try folder.write(#"{ "limit": 3 }"#, to: "application.json")
            await look()
            #expect(try context.value("limit") == 3)
        }
        #expect(log.take() == ["loaded"])
    }

    @Test("The error of a dispose hook is not a failed reload")
    func failingHook_isNotAFailedReload() async throws {
        struct Refusal: Error {}
        try context.load(
            Module("Shop") { registry in
                registry.register(Int.self) { (resolver: Resolver) in try resolver.value("limit") }
                    .onDispose { _ in throw Refusal() }
            })
        try await reloading {
            for limit in 2...3 {
                _ = try context.resolve(Int.self)
                try folder.write("{ \"limit\": \(limit) }", to: "application.json")
                await look()
                #expect(try context.value("limit") == limit)
            }
        }
        #expect(log.take() == ["loaded", "loaded"])
    }

    @Test("A validating reloader rejects properties with errors")
    func validating_refuses() async throws {
        try context.load(
            Module("Shop") { registry in
                registry.register(Int.self) { (resolver: Resolver) in try resolver.value("limit") }
                registry.requires("limit", as: Int.self)
            })
        try await reloading(validating: true) {
            try folder.write(#"{ "limit": "many" }"#, to: "application.json")
            await look()
            await look()
            #expect(try context.value("limit") == 1)
            let told = log.take()
            #expect(told.count == 1)
            #expect(
                told.first?.hasPrefix("reload failed: the new settings are not used") == true)
        }
    }

    @Test("It starts nothing that was not started")
    func start_isLeftToTheProgram() async throws {
        try context.load(
            Module("Later") { [log] registry in
                registry.register(
                    String.self,
                    async: {
                        log("started")
                        return "later"
                    })
            })
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            #expect(try context.value("limit") == 2)
        }
        #expect(log.take() == ["loaded"])
    }

    @Test("It checks every file of every load: of profiles, of a list, of another folder")
    func everyFile_isLookedAt() async throws {
        let other = try TemporaryFolder([
            "application.json": #"{ "other": 1 }"#, "application-dev.json": #"{ "profile": 1 }"#,
        ])
        let list = try TemporaryFolder(["a.json": #"{ "a": 1 }"#, "b.json": #"{ "b": 1 }"#])
        try context.loadProperties(from: other.path, profiles: "dev", environment: [:])
        try context.loadProperties(files: ["\(list.path)/a.json", "\(list.path)/b.json"], environment: [:])
        try await reloading {
            for (folder, file, key) in [
                (other, "application.json", "other"), (other, "application-dev.json", "profile"),
                (list, "a.json", "a"), (list, "b.json", "b"), (folder, "application.json", "limit"),
            ] {
                try folder.write(#"{ "\#(key)": 2 }"#, to: file)
                await look()
                #expect(try context.value(key) == 2, "\(file)")
            }
        }
        #expect(log.take().count == 5)
    }

    @Test("A changed link target is seen, as in a mounted volume")
    func swappedLink_isSeen() async throws {
        let volume = try TemporaryFolder()
        let manager = FileManager.default
        for (name, limit) in [("..1", 1), ("..2", 2)] {
            try manager.createDirectory(atPath: "\(volume.path)/\(name)", withIntermediateDirectories: true)
            try volume.write(#"{ "limit": \#(limit) }"#, to: "\(name)/application.json")
        }
        func link(to name: String) throws {
            try? manager.removeItem(atPath: "\(volume.path)/..data")
            try manager.createSymbolicLink(atPath: "\(volume.path)/..data", withDestinationPath: name)
        }
        try link(to: "..1")
        try manager.createSymbolicLink(
            atPath: "\(volume.path)/application.json", withDestinationPath: "..data/application.json")
        let context = try AppContext().loadProperties(from: volume.path, environment: [:])
        try await reloading(context) {
            try link(to: "..2")
            await look()
            #expect(try context.value("limit") == 2)
        }
    }

    @Test("Settings that were reloaded in another way are not loaded again")
    func otherReload_isNotRepeated() async throws {
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            try context.reloadProperties()
            #expect(log.take() == ["loaded"])
            await look()
            #expect(log.take() == [])
            try folder.write("{", to: "application.json")
            await look()
            #expect(log.take().count == 1)
            #expect(message { try context.reloadProperties() } != nil)
            await look()
            #expect(log.take() == [])
        }
    }

    @Test("A fork has a reloader of its own")
    func fork_isIndependent() async throws {
        let fork = try context.fork()
        try await reloading(fork) {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            #expect(try fork.value("limit") == 2)
            #expect(try context.value("limit") == 1)
        }
    }

    @Test("Followers of a setting see the values it loads")
    func follower_sees() async throws {
        var values = context.values(of: "limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            clock.advance(by: .seconds(5))
            #expect(await values.next() == .success(2))
            await clock.sleeping()
        }
    }

    @Test("It does not keep the context alive, and ends when the context is gone")
    func droppedContext_ends() async throws {
        let holder = Late(AppContext())
        weak let context = holder.value
        try #require(holder.value).loadProperties(from: folder.path, environment: [:])
        let task = Task { [reloader = try #require(holder.value).reloadProperties(on: trigger())] in
            await reloader.run()
        }
        await clock.sleeping()
        holder.value = nil
        #expect(context == nil)
        clock.advance(by: .seconds(5))
        await task.value
    }

    @Test("Canceling its task ends it, even before it begins")
    func cancelled_ends() async throws {
        let reloader = context.reloadProperties(on: trigger())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await reloader.run()
        }
        await task.value
    }

    @Test("Settings are not loaded if a factory closure throws the error of another context's hooks")
    func hooksOfAnotherContextFail() async throws {
        struct Refusal: Error, CustomStringConvertible { let description = "refused" }
        let other = try AppContext().load(
            Module("Other") { registry in
                registry.register(Int.self, fileID: "Shop.swift", line: 1) { 1 }.onDispose { _ in throw Refusal() }
            })
        let made = Counter()
        try context.load(
            Module("Limited", when: .property("limit", equals: 2), fileID: "Shop.swift", line: 4) { registry in
                registry.register(String.self, scope: .always, fileID: "Shop.swift", line: 2) {
                    made.next()
                    _ = try other.resolve(Int.self)
                    try other.reset(fileID: "Shop.swift", line: 3)
                    return "limited"
                }
            })
        try await reloading {
            try folder.write(#"{ "limit": 2 }"#, to: "application.json")
            await look()
            await look()
            #expect(try context.value("limit") == 1)
        }
        #expect(made.value == 1)
        let error = """
            Shop.swift:2: making String failed: Shop.swift:3: 1 hook failed:
                disposing of Int (Shop.swift:1): refused
              requested: String at Shop.swift:4
            """
        #expect(log.take() == ["reload failed: \(error)"])
        #expect(message { try context.reloadProperties() } == error)
    }

    @Test("Settings are not loaded into a context that is ending, and what was made for them is disposed of")
    func contextEndsBeforeTheNewSettingsAreLoaded() async throws {
        final class Service: Sendable {
            let limit: Int
            init(limit: Int) { self.limit = limit }
        }
        final class Plain: Sendable {}
        let (held, isDropping) = (Late<AppContext>(), Late(false))
        let (ending, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = Signal()
        let reloader: PropertiesReloader
        let observation: ContextObservation
        do {
            let context = AppContext()
            try context.loadProperties(from: folder.path, environment: [:])
            try context.load(
                Module("Services") { registry in
                    registry.register(
                        Service.self, async: { (resolver: Resolver) in Service(limit: try resolver.value("limit")) }
                    )
                    registry.register { Plain() }
                })
            try await context.start()
            _ = try context.resolve(Plain.self)
            reloader = context.reloadProperties(on: trigger())
            observation = context.observe { [log] event in
                switch event {
                case .made(let made) where made.key == Key(Service.self) && isDropping.value != true:
                    isDropping.value = true
                    Thread.detachNewThread {
                        held.value = nil
                        ended.send()
                    }
                    ending.wait()
                case .disposed(Key(Plain.self), _):
                    // The context refuses requests already.
                    ending.signal()
                    mayEnd.wait()
                case .disposed(Key(Service.self), _): log("disposed of")
                case .propertiesLoaded: log("loaded")
                default: break
                }
            }
            held.value = context
        }
        let task = Task { await reloader.run() }
        await clock.sleeping()
        try folder.write(#"{ "limit": 2 }"#, to: "application.json")
        clock.advance(by: .seconds(5))
        await task.value
        mayEnd.signal()
        await ended.wait()
        #expect(log.take() == ["disposed of", "disposed of"])
        withExtendedLifetime(observation) {}
    }
}
