import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("Properties are read from any thread")
struct ConcurrentReadingTests {
    @Test("Many threads read the same values, and make the first read simultaneously")
    func values_areRead() async throws {
        let keys = (0..<50).map { #""url\#($0)": "https://example.com/\#($0)", "copy\#($0)": "${url\#($0)}""# }
        for _ in 0..<TestScale.count(100) {
            let properties = try load(["": "{\(keys.joined(separator: ","))}"])
            let override = try Properties(overrides: ["url7": "https://fake"], name: "module Fakes")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { () throws -> Void in
                        for number in 0..<50 {
                            let expected = URL(string: "https://example.com/\(number)")
                            #expect(try properties.value("url\(number)", as: URL.self) == expected)
                            #expect(try properties.value("copy\(number)", as: URL.self) == expected)
                        }
                        let stacked = Properties.stacked(above: [override], base: properties, below: [])
                        #expect(try stacked.value("copy7", as: String.self) == "https://fake")
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
