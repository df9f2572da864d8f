import LocatorProperties
import Testing

@Suite("Every value knows its line and column")
struct JSONPositionTests {
    private static let text = """
        {
          "server": {"port": 8080, "hosts": [
            "a",
              {"name": "é", "weight": 0.5}, [ ], null
          ]},
        \t"on": true
        }
        """

    @Test("Values of every kind, keys, and values after non-ASCII text")
    func position_isThatOfFirstCharacter() throws {
        let value = try JSONValue(parsing: Self.text)
        let server = try #require(value["server"])
        let hosts = try #require(server["hosts"])
        #expect(value.position == JSONPosition(line: 1, column: 1))
        #expect(server.position == JSONPosition(line: 2, column: 13))
        #expect(server["port"]?.position == JSONPosition(line: 2, column: 22))
        #expect(server.objectValue?.position(ofKey: "hosts") == JSONPosition(line: 2, column: 28))
        #expect(hosts.position == JSONPosition(line: 2, column: 37))
        #expect(hosts[0]?.position == JSONPosition(line: 3, column: 5))
        #expect(hosts[1]?.position == JSONPosition(line: 4, column: 7))
        #expect(hosts[1]?["name"]?.position == JSONPosition(line: 4, column: 16))
        #expect(hosts[1]?["weight"]?.position == JSONPosition(line: 4, column: 31))
        #expect(hosts[2]?.position == JSONPosition(line: 4, column: 37))
        #expect(hosts[3]?.position == JSONPosition(line: 4, column: 42))
        #expect(value["on"]?.position == JSONPosition(line: 6, column: 8))
        #expect(value.objectValue?.position(ofKey: "on") == JSONPosition(line: 6, column: 2))
        #expect(value.objectValue?.position(ofKey: "off") == nil)
    }

    @Test("Lines end at a line feed, a carriage return, or both", arguments: ["\n", "\r", "\r\n"])
    func line_isCounted_whateverEndsLines(end: String) throws {
        let value = try JSONValue(parsing: "[\(end)1,\(end)\(end)  2]")
        #expect(value[0]?.position == JSONPosition(line: 2, column: 1))
        #expect(value[1]?.position == JSONPosition(line: 4, column: 3))
    }

    @Test("A value that was not read has no position")
    func position_isNil_whenValueIsWritten() {
        let value: JSONValue = ["a": [1]]
        #expect(value.position == nil)
        #expect(value["a"]?[0]?.position == nil)
        #expect(value.objectValue?.position(ofKey: "a") == nil)
    }

    @Test("Long indentation and long lines are counted exactly", arguments: [0, 1, 7, 8, 9, 15, 16, 17, 100, 100_000])
    func column_isExact_whenLineIsLong(width: Int) throws {
        let blanks = String(repeating: " ", count: width)
        let text = String(repeating: "x", count: width)
        let value = try JSONValue(parsing: "[\n\(blanks)\"\(text)\",\"é\(text)\",0]")
        #expect(value[0]?.position == JSONPosition(line: 2, column: width + 1))
        #expect(value[1]?.position == JSONPosition(line: 2, column: 2 * width + 4))
        #expect(value[2]?.position == JSONPosition(line: 2, column: 3 * width + 8))
    }
}
