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

@Suite("A URL keeps its escapes; only what no URL can contain is encoded")
struct URLEscapeTests {
    @Test(
        "Characters of a URL",
        arguments: [
            ("https://h/a%20b%7Cc?q=%2B#f%20", "https://h/a%20b%7Cc?q=%2B#f%20"),
            ("a%20b|c", "a%20b%7Cc"),
            ("https://h/a%20b|c", "https://h/a%20b%7Cc"),
            ("https://h/a?q=%2B|#f%20|", "https://h/a?q=%2B%7C#f%20%7C"),
            ("https://u%40x:p|%41@h/", "https://u%40x:p%7C%41@h/"),
            ("https://h/%2520|%e2", "https://h/%2520%7C%e2"),
            ("https://h/100%|%zz%20", "https://h/100%25%7C%25zz%20"),
            ("https://h/-~%20|-~~", "https://h/-~%20%7C-~~"),
            ("https://h/ä%20", "https://h/%C3%A4%20"),
            ("https://h/-~\u{301}%20", "https://h/-~%CC%81%20"),
            ("http://[fe80::1%25en0]/a|%20", "http://[fe80::1%25en0]/a%7C%20"),
        ])
    func url_keepsItsEscapes(text: String, expected: String) throws {
        #expect(try JSONValue.string(text).decode(URL.self).absoluteString == expected)
    }
}
