import Dispatch
import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("URLs that are read again are the same")
struct URLDecodingTests {
    @Test("Many URLs from one tree, more than are remembered")
    func urls_areRight_howeverManyThereAre() throws {
        let context = DecodingContext()
        for _ in 0..<3 {
            for number in 0..<1000 {
                let text = "https://shop.example.org/\(number)"
                #expect(try JSONValue.string(text).decode(URL.self, at: "url", in: context) == URL(string: text))
            }
        }
    }

    @Test("A text that is no URL stays none")
    func url_isRefused_everyTime() {
        let context = DecodingContext()
        for _ in 0..<3 {
            #expect(throws: PropertiesError.self) {
                try JSONValue.string("a b").decode(URL.self, at: "url", in: context)
            }
        }
    }

    @Test("Threads that read and remember the same URLs get the right ones")
    func urls_areRight_whenManyThreadsReadThem() {
        for _ in 0..<TestScale.count(200) {
            let context = DecodingContext()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<200 {
                    let text = "https://shop.example.org/\((number + thread * 50) % 200)"
                    let url = try? JSONValue.string(text).decode(URL.self, at: "url", in: context)
                    if url?.absoluteString != text { Issue.record("\(text): \(String(describing: url))") }
                }
            }
        }
    }
}
