import Dispatch
import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("Reading a URL again returns an equal URL")
struct URLDecodingTests {
    @Test("More URLs from one tree than the cache holds")
    func urls_areRight_howeverManyThereAre() throws {
        let context = DecodingContext()
        for _ in 0..<3 {
            for number in 0..<1000 {
                let text = "https://shop.example.org/\(number)"
                #expect(try JSONValue.string(text).decode(URL.self, at: "url", in: context) == URL(string: text))
            }
        }
    }

    @Test("A text that is not a URL is an error every time")
    func url_isRefused_everyTime() {
        let context = DecodingContext()
        for _ in 0..<3 {
            #expect(throws: PropertiesError.self) {
                try JSONValue.string("a b").decode(URL.self, at: "url", in: context)
            }
        }
    }

    @Test("Threads that read and cache the same URLs get the right ones")
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
