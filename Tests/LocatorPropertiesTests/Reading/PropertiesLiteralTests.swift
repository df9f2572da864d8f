import LocatorProperties
import Testing

@Suite("Properties in code have paths as keys, and names inside objects")
struct PropertiesLiteralTests {
    @Test func outerKeys_arePaths() throws {
        let properties: Properties = ["server.port": 8080, "logging['com.shop'].level": "info"]
        #expect(try properties.value("server", as: [String: Int].self) == ["port": 8080])
        #expect(try properties.value("logging['com.shop'].level", as: String.self) == "info")
    }

    @Test func keysOfObjects_areNames() throws {
        let properties: Properties = ["logging": ["com.shop": ["level": "info"]]]
        #expect(try properties.value("logging['com.shop'].level", as: String.self) == "info")
        #expect(properties["logging.com"] == nil)
    }

    @Test func partsOfAnObject_mayBeGivenApart() throws {
        let properties: Properties = ["server.port": 2, "server": ["port": 1, "host": "a"]]
        #expect(try properties.value("server.port", as: Int.self) == 2)
        #expect(try properties.value("server.host", as: String.self) == "a")
    }

    @Test func path_isGivenTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let _: Properties = ["server.port": 1, "server.host": "a", "server.port": 2]
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("Fatal error: server.port: it is set twice; keep one of them (settings in code)\n"))
    }

    @Test func variables_areGivenAsValues() throws {
        let (port, name, isOn, ratio) = (8080, "shop"[...], true, 0.5)
        let (ports, names, flags, ratios) = ([1, 2], ["a", "b"], [true, false], [0.5, 2])
        let properties: Properties = [
            "scalars": ["port": .init(port), "name": .init(name), "isOn": .init(isOn), "ratio": .init(ratio)],
            "ports": .init(ports), "names": .init(names), "flags": .init(flags), "ratios": .init(ratios),
        ]
        #expect(properties["scalars"] == ["port": 8080, "name": "shop", "isOn": true, "ratio": 0.5])
        #expect(try properties.value("ports", as: [Int].self) == ports)
        #expect(try properties.value("names", as: [String].self) == names)
        #expect(try properties.value("flags", as: [Bool].self) == flags)
        #expect(try properties.value("ratios", as: [Double].self) == ratios)
    }
}
