import Locator
import TestSupport
import Testing

@Suite("Settings that another thread loads during a reload stay", .watchdog)
struct LoadWhileReloadingTests {
    private enum Reload: CaseIterable {
        case reloadProperties, validating, reloader, reloaderAfterStart, reloadAndStart
    }

    private let clock = ManualClock()
    private let context = AppContext()

    private func reload(_ way: Reload) async throws {
        switch way {
        case .reloadProperties: try context.reloadProperties()
        case .validating: try context.reloadProperties(validating: true)
        case .reloadAndStart: try await context.reloadAndStart()
        case .reloader, .reloaderAfterStart:
            if way == .reloaderAfterStart { try await context.start() }
            let reloader = context.reloadProperties(on: .changes(every: .seconds(5), clock: clock))
            let task = Task { await reloader.run() }
            await clock.sleeping()
            clock.advance(by: .seconds(5))
            await clock.sleeping()
            task.cancel()
            await task.value
        }
    }

    /// Each of the first reads of the file is followed by another load.
    @Test(arguments: Reload.allCases)
    private func loadedSettings_stay_andAreReadAgain(way: Reload) async throws {
        let context = context
        let files = MemoryFiles(#"{ "url": "db1" }"#)
        let others = (0..<3).map { MemoryFiles(#"{ "other\#($0)": 1 }"#) }
        try context.loadProperties(files.source)
        files.content = #"{ "url": "db2" }"#
        let count = Counter()
        files.whileReading = {
            let number = count.next()
            if number > others.count { return }
            do {
                try onThread { _ = try context.loadProperties(others[number - 1].source) }
            } catch {
                Issue.record(error)
            }
        }
        try await reload(way)
        #expect(try context.value("url") == "db2")
        for number in others.indices {
            #expect(try context.value("other\(number)") == 1)
            others[number].content = #"{ "other\#(number)": 2 }"#
        }
        try context.reloadProperties()
        #expect(try others.indices.map { try context.value("other\($0)") } == [2, 2, 2])
    }
}
