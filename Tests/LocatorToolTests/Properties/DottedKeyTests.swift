import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator check` warns of a key that was probably meant as a path")
struct DottedKeyTests {
    private func check(_ files: [String: String]) -> String {
        locator(words: ["check"]) { $0.fileSystem = .config(files) }.output
    }

    @Test("In a base file alone")
    func baseFile() {
        #expect(
            check(["application.json": "{\n  \"server.port\": 8080,\n  \"mail.smtp.host\": \"h\"\n}"]) == """
                Config/application.json:2:3: warning: "server.port" is a single key, not a path; for the path, \
                write "server": {"port": …}
                Config/application.json:3:3: warning: "mail.smtp.host" is a single key, not a path; for the path, \
                write "mail": {"smtp": {"host": …}}
                2 warnings in 1 file

                """)
    }

    @Test("In an object that also has a nested object of that name, even in another file")
    func besideAnObject() {
        #expect(
            check([
                "application.json": #"{"server": {"tls": {"port": 1}}}"#,
                "application-dev.json": #"{"server": {"tls.port": 2}}"#,
            ]) == """
                Config/application-dev.json:1:25: warning: server['tls.port'] is in dev, and not in application.json; \
                did you mean server.tls.port?
                Config/application-dev.json:1:13: warning: "tls.port" is a single key, not a path; for the path, \
                write "tls": {"port": …}
                2 warnings in 2 files (dev)

                """)
    }

    @Test(
        "Names with intended dots are ignored",
        arguments: [
            #"{"logging": {"com.shop": "debug", "com.shop.cart": {"level": "info"}}}"#,
            #"{"hosts": {"shop.example.com": 1}, "10.0.0.1": 1, ".hidden": 2, "ends.": 3, "a..b": 4, "1.2": 5}"#,
            #"{"prices": [{"a.b": 1, "a": {"b": 2}}]}"#,
            #"{"a b.c d": 1, "file.txt, or so": 2, "v[0].x": 3}"#,
        ])
    func names(base: String) {
        #expect(check(["application.json": base]) == "nothing found in 1 file\n")
    }
}
