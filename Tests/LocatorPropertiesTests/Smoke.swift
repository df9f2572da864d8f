import Testing
@testable import LocatorProperties
@Test func smoke() throws {
    let v = try JSONValue(
        parsing: #"{"server": {"port": 8080, "é": [1, 2.50, -0, 1e400, true, null, "a\u00e9\ud83d\ude00"]},"#
            + "\n \"x\":{}, \"y\":[]}")
    print(v, v["server"]?["port"]?.position as Any)
    print(v.text(.pretty))
    for t in [
        "", "{", "[1,]", "{\"a\":1,}", "nul", "NaN", "01", "1.", "+1", "'a'", "// x", "[1 2]", "{\"a\" 1}", "{a:1}",
        "\"abc", "\"a\tb\"", "\"\\x\"", "\"\\ud800\"", "\"\\u12g4\"", "1 2", "[1}", "{\"a\":1,\n \"a\":2}", "80a", "-",
        "1e", "[\"é\", x]",
    ] {
        do { print(t, try JSONValue(parsing: t, file: "f")) } catch { print(t, "=>", error) }
    }
    do { _ = try JSONValue(parsing: String(repeating: "[", count: 100000)) } catch { print(error) }
}
