import LocatorProperties
import Testing

@Suite("Placeholders are resolved after merging")
struct PlaceholderTests {
    @Test(
        "Texts",
        arguments: [
            (#"{"a":"${b}","b":"x"}"#, #""x""#),
            (#"{"a":"${b}","b":8080}"#, "8080"),
            (#"{"a":"${b}","b":1.50}"#, "1.50"),
            (#"{"a":"${b}","b":true}"#, "true"),
            (#"{"a":"${b}","b":[1,{"c":2}]}"#, #"[1,{"c":2}]"#),
            (#"{"a":"${b}","b":{"c":"${d}"},"d":7}"#, #"{"c":7}"#),
            (#"{"a":"${b[0]}","b":[null]}"#, "null"),
            (#"{"a":"http://${b}:${c}/","b":"host","c":80}"#, #""http://host:80/""#),
            (#"{"a":"${b}${b}","b":"x"}"#, #""xx""#),
            (#"{"a":" ${b} ","b":1}"#, #"" 1 ""#),
            (#"{"a":"${b}/${c}","b":false,"c":1e3}"#, #""false/1e3""#),
            (#"{"a":"${b.c.d}","b":{"c":{"d":1}}}"#, "1"),
            (#"{"a":"${b[1].c}","b":[0,{"c":2}]}"#, "2"),
            (#"{"a":"${b['x.y']}","b":{"x.y":3}}"#, "3"),
            (##"{"a":"${b['}:']}","b":{"}:":4}}"##, "4"),
            (#"{"a":"${b['it\\'s']}","b":{"it's":5}}"#, "5"),
            (#"{"a":"${b}","b":"${c}","c":"${d}","d":9}"#, "9"),
            (#"{"a":"${b.c}","b":"${d}","d":{"c":1}}"#, "1"),
            (#"{"b":"${d}","d":{"c":1},"a":"${b.c:${e}}","e":"<${a}>"}"#, "1"),
            (#"{"b":"${d}","d":{"c":1},"a":"${b.x:${e}}","e":"${b.c}"}"#, "1"),
            (#"{"a":{"x":"${a.y}","y":1}}"#, #"{"x":1,"y":1}"#),
            (#"{"a":["${b}","${b}"],"b":1}"#, "[1,1]"),
            (#"{"a":"${missing:8080}"}"#, #""8080""#),
            (#"{"a":"${missing:}"}"#, #""""#),
            (#"{"a":"${b:default}","b":"x"}"#, #""x""#),
            (#"{"a":"${b:default}","b":""}"#, #""""#),
            (#"{"a":"${missing:a:b}"}"#, #""a:b""#),
            (#"{"a":"x${missing:-}y"}"#, #""x-y""#),
            (#"{"a":"${missing:${b}}","b":7}"#, "7"),
            (#"{"a":"${missing:${missing:${b}}}","b":7}"#, "7"),
            (#"{"a":"${missing:<${b}>}","b":7}"#, #""<7>""#),
            (#"{"a":"${missing:$${b}}"}"#, #""${b}""#),
            (#"{"a":"$${b}"}"#, #""${b}""#),
            (#"{"a":"$${b} ${b}","b":1}"#, #""${b} 1""#),
            (#"{"a":"$$${b}","b":1}"#, #""$${b}""#),
            (#"{"a":"$b $ {b} {b} $$ $"}"#, #""$b $ {b} {b} $$ $""#),
            (#"{"a":"}"}"#, #""}""#),
            (#"{"a":"${b}","b":"$${c}"}"#, #""${c}""#),
            (#"{"a":"${env:HOME}"}"#, #""/home/shop""#),
            (#"{"a":"${env:EMPTY}"}"#, #""""#),
            (#"{"a":"${env:TEMPLATE}"}"#, #""${b} $${c}""#),
            (#"{"a":"${env:NOPE:default}"}"#, #""default""#),
            (#"{"a":"${env:NOPE:${b}}","b":1}"#, "1"),
            (#"{"a":"${env:HOME}/x"}"#, #""/home/shop/x""#),
            (#"{"a":"${env.x}","env":{"x":1}}"#, "1"),
            (#"{"a":"${env}","env":2}"#, "2"),
            (#"{"a":"é${b}é","b":"ü"}"#, #""éüé""#),
            (#"{"a":"👩‍👧${b['é']}👩‍👧","b":{"é":"ü"}}"#, #""👩‍👧ü👩‍👧""#),
        ])
    func placeholder(file: String, expected: String) throws {
        let environment = ["HOME": "/home/shop", "EMPTY": "", "TEMPLATE": "${b} $${c}"]
        let properties = try load(["": file], environment: environment)
        #expect(properties["a"]?.text() == expected)
    }

    @Test(
        "A text that a placeholder takes as a whole converts only if it is a default or comes from the environment",
        arguments: [
            ("${b}", false), ("${missing:${b}}", false), ("${missing:80}", true), ("${env:PORT}", true),
            ("${missing:${env:PORT}}", true), ("${b}0", true),
        ])
    func wholeText_converts(text: String, isNumber: Bool) throws {
        let properties = try load(["": #"{"a": "\#(text)", "b": "80"}"#], environment: ["PORT": "80"])
        #expect((try? properties.value("a", as: Int.self)) == (isNumber ? text == "${b}0" ? 800 : 80 : nil))
    }

    @Test("A placeholder in the JSON of a variable is not resolved")
    func json_isNotExpanded() throws {
        let environment = ["T_O": #"{"a": "${b}", "l": ["${b}"]}"#, "T_NEW": #"{"a": "${b}"}"#]
        let properties = try load(
            ["": #"{"o": {"a": "", "c": "${b}"}, "b": 1}"#], environment: environment, prefix: "T_")
        #expect(properties["o"]?.text() == #"{"a":"${b}","c":1,"l":["${b}"]}"#)
        #expect(try properties.value("new", as: [String: String].self) == ["a": "${b}"])
    }

    @Test(arguments: [1, 15, 16, 17, 18, 200])
    func placeholders_areResolved_howeverManyThereAre(count: Int) throws {
        let members = (0..<count).map { #""a\#($0)":"${b\#($0)}/${b\#(($0 + 1) % count)}","b\#($0)":\#($0)"# }
        let properties = try load(["": "{" + members.joined(separator: ",") + "}"])
        for number in 0..<count {
            let text: String = try properties.value("a\(number)")
            #expect(text == "\(number)/\((number + 1) % count)")
        }
    }

    @Test("They lead to the final values of profiles and the environment")
    func placeholder_seesTheMergedResult() throws {
        let files = ["": #"{"url":"${host}:${port}","host":"a","port":1}"#, "p": #"{"host":"b"}"#]
        let properties = try load(files, profiles: "p", environment: ["SHOP_PORT": "2"], prefix: "SHOP_")
        #expect(properties["url"] == "b:2")
    }

    @Test("Text built by a placeholder converts to numbers and Bools; text from a file does not")
    func text_converts() throws {
        let file = #"""
            {"port": "${base}1", "base": 808, "default": "${missing:8080}", "flag": "${missing:true}",
             "text": "8080", "same": "${text}", "env": "${env:PORT}"}
            """#
        let properties = try load(["": file], environment: ["PORT": "443"])
        #expect(try properties.value("port", as: Int.self) == 8081)
        #expect(try properties.value("default", as: Int.self) == 8080)
        #expect(try properties.value("flag", as: Bool.self) == true)
        #expect(try properties.value("env", as: Int.self) == 443)
        #expect(
            message { _ = try properties.value("same", as: Int.self) }
                == #"same: expected Int, found string "8080"; drop the quotes (application.json:2:26)"#)
    }

    @Test("A path may lead through a placeholder into the JSON of its text")
    func path_leadsIntoText() throws {
        let file = #"{"b": "${env:L}", "a": "${x:[1,2]}", "c": "${b[0]}", "o": "${env:O}"}"#
        let properties = try load(
            ["": file], environment: ["L": #"["p", "q"]"#, "O": #"{"token": "s3cret", "k": ["v"]}"#])
        #expect(try properties.value("b", as: [String].self) == ["p", "q"])
        let cases: [(String, String)] = [
            ("b[0]", "p"), ("b[1]", "q"), ("c", "p"), ("o.k[0]", "v"), ("o.token", "s3cret"),
        ]
        for (path, value) in cases { #expect(try properties.value(path, as: String.self) == value) }
        #expect(try properties.value("a[1]", as: Int.self) == 2)
        #expect(try properties.value("b[2]", as: String?.self) == nil)
        #expect(properties.isSecret("o.token"))
    }

    @Test("A default is not resolved if a path leads into the JSON of a variable")
    func default_isNotResolved_ifATextHasThePath() throws {
        let file = #"{"a": "${db.port:${x}}", "x": "${a}", "v": "v${db.gone:7}"}"#
        for environment in [["SHOP_DB": #"{"port": 1, "gone": null}"#], ["SHOP_DB__PORT": "1"]] {
            let properties = try load(["": file], environment: environment, prefix: "SHOP_")
            #expect(try properties.value("x", as: Int.self) == 1)
            #expect(properties["v"] == "v7")
        }
        #expect(
            message { _ = try load(["": file], environment: ["SHOP_DB": #"{"other": 1}"#], prefix: "SHOP_") }
                == "a: placeholders form a cycle: a -> x -> a (application.json:1:7)")
    }

    @Test(
        "A path into an array or another value that has no keys is missing, so its default is used",
        arguments: [
            (#"{"a":"${m.x:1}","m":["${a}"]}"#, "m[0]"), (#"{"a":"${m[0]:1}","m":{"k":"${a}"}}"#, "m.k"),
            (#"{"a":"${m.x:1}","m":1,"n":"${a}"}"#, "n"),
        ])
    func default_isUsed_belowAnArray(json: String, path: String) throws {
        let properties = try load(["": json])
        #expect(properties["a"] == "1")
        #expect(properties[path] == "1")
    }

    @Test("A path may lead through a placeholder")
    func path_leadsThroughPlaceholder() throws {
        let properties = try load(["": #"{"a":"${b}","b":{"c":[1,{"d":"${e}"}]},"e":5}"#])
        #expect(try properties.value("a.c[1].d", as: Int.self) == 5)
        #expect(properties["a.c[2]"] == nil)
        #expect(properties["a.x"] == nil)
    }

    @Test(
        "Errors are found when the files are loaded",
        arguments: [
            (#"{"a":"${b}"}"#, "a: ${b} needs b, which is missing (application.json:1:6)"),
            (
                #"{"a":"${server.prot}","server":{"port":1}}"#,
                "a: ${server.prot} needs server.prot, which is missing; did you mean server.port? (application.json:1:6)"
            ),
            (
                #"{"a":"x ${port} y","server":{"port":1}}"#,
                "a: ${port} needs port, which is missing; did you mean server.port? (application.json:1:6)"
            ),
            (#"{"a":"${b}","b":null}"#, "a: ${b} needs b, which is missing (application.json:1:6)"),
            (#"{"a":["${b}"]}"#, "a[0]: ${b} needs b, which is missing (application.json:1:7)"),
            (#"{"a":"${a}"}"#, "a: placeholders form a cycle: a -> a (application.json:1:6)"),
            (
                #"{"a":"${b}","b":"x${c}","c":"${a:1}"}"#,
                "a: placeholders form a cycle: a -> b -> c -> a (application.json:1:6)"
            ),
            (
                #"{"x":"${a}","a":"${b}","b":"${a}"}"#,
                "a: placeholders form a cycle: a -> b -> a (application.json:1:17)"
            ),
            (
                #"{"a":{"b":"${a}"}}"#, "a.b: placeholders form a cycle: a.b -> a.b (application.json:1:11)"
            ),
            (
                #"{"a":"x${b}","b":[1]}"#,
                "a: ${b} leads to an array, which cannot be part of a text (application.json:1:6)"
            ),
            (
                #"{"a":"x${b}","b":{}}"#,
                "a: ${b} leads to an object, which cannot be part of a text (application.json:1:6)"
            ),
            (
                #"{"a":"x${b[0]}","b":[null]}"#,
                "a: ${b[0]} leads to null, which cannot be part of a text (application.json:1:6)"
            ),
            (
                #"{"a":"x ${b"}"#,
                "a: the placeholder at column 3 of the text is not closed; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${b:x"}"#,
                "a: the placeholder at column 1 of the text is not closed; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${"}"#,
                "a: the placeholder at column 1 of the text is not closed; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${b['}"}"#,
                "a: the placeholder at column 1 of the text is not closed; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${}"}"#,
                "a: the placeholder at column 1 of the text names nothing; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${:x}"}"#,
                "a: the placeholder at column 1 of the text names nothing; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${env:}"}"#,
                "a: the placeholder at column 1 of the text names nothing; write $${ for a literal ${ (application.json:1:6)"
            ),
            (
                #"{"a":"${b..c}"}"#,
                #"a: malformed path "b..c": expected a key at column 3, found "." (application.json:1:6)"#
            ),
            (
                #"{"a":"${ b }","b":1}"#,
                #"a: malformed path " b ": expected a key at column 1, found " "; a key that contains it is written ['…'] (application.json:1:6)"#
            ),
            (
                #"{"a":"${env:NOPE}"}"#,
                "a: ${env:NOPE} needs the environment variable NOPE, which is not set (application.json:1:6)"
            ),
            (
                #"{"a":"${x}","b":"${y:1}","c":"${z}"}"#,
                """
                a: ${x} needs x, which is missing (application.json:1:6)
                c: ${z} needs z, which is missing (application.json:1:30)
                """
            ),
            (
                #"{"a":"${c}","b":"${c}","c":"${nowhere}"}"#,
                "c: ${nowhere} needs nowhere, which is missing (application.json:1:28)"
            ),
        ])
    func placeholder_isRefused(file: String, expected: String) {
        #expect(message { _ = try load(["": file]) } == expected)
    }

    @Test("In properties written in code, an error is reported when the value is read")
    func placeholder_isLazy_inCode() throws {
        let properties: Properties = ["a": "${b}", "c": 1]
        #expect(try properties.value("c", as: Int.self) == 1)
        #expect(
            message { _ = try properties.value("a", as: Int.self) }
                == "a: ${b} needs b, which is missing (settings in code)")
        #expect(properties["a"] == nil)
    }

    @Test("Objects that double or nest with every placeholder are also an error")
    func placeholder_isLimited_inObjects() {
        var doubling: [String] = []
        for number in 0..<40 { doubling.append(#""a\#(number)":{"x":"${a\#(number + 1)}","y":"${a\#(number + 1)}"}"#) }
        let huge = "{\(doubling.joined(separator: ",")),\"a40\":[1,2,3]}"
        #expect(
            message { _ = try load(["": huge]) } == """
                a25.y: placeholders copy arrays and objects of more than 250000 values or 8388608 bytes of text (application.json:1:848)
                """)

        var nesting: [String] = []
        for number in 0..<20 {
            nesting.append(
                #""a\#(number)":\#(String(repeating: "[", count: 40))"${a\#(number + 1)}"\#(String(repeating: "]", count: 40))"#
            )
        }
        let deep = "{\(nesting.joined(separator: ",")),\"a20\":1}"
        #expect(
            message { _ = try load(["": deep]) }?.contains(
                "placeholders build a value of more than 128 levels of arrays and objects (application.json:1:") == true
        )
    }

    @Test("A long chain, and text that doubles with every placeholder, are errors")
    func placeholder_isLimited() {
        var chain: [String] = []
        for number in 0..<1_000 { chain.append(#""a\#(number)":"${a\#(number + 1)}""#) }
        let long = "{\(chain.joined(separator: ",")),\"a1000\":1}"
        #expect(
            message { _ = try load(["": long]) }?.split(separator: "\n").first
                == "a256: placeholders lead to placeholders more than 256 deep (application.json:1:4143)")

        var doubling: [String] = []
        for number in 0..<40 { doubling.append(#""a\#(number)":"${a\#(number + 1)}${a\#(number + 1)}""#) }
        let huge = "{\(doubling.joined(separator: ",")),\"a40\":\"0123456789\"}"
        #expect(
            message { _ = try load(["": huge]) }
                == "a21: placeholders build more than 8388608 bytes of text (application.json:1:421)")
    }

    @Test("A thousand wrong placeholders are listed, with a line about the others")
    func problems_areLimited() {
        func lines(_ count: Int) -> [Substring] {
            let members = (1...count).map { #""a\#($0)":"${env:GONE}""# }
            return message { _ = try load(["": "{\(members.joined(separator: ",\n"))}"]) }?.split(separator: "\n") ?? []
        }
        let last = "a999: ${env:GONE} needs the environment variable GONE, which is not set (application.json:999:8)"
        #expect(lines(999).count == 999)
        #expect(lines(999).last == Substring(last))
        #expect(lines(1002).count == 1001)
        #expect(lines(1002).last == "1000 placeholders are wrong; the others are not checked")
    }

    @Test("The length of a chain does not depend on where the resolution begins")
    func chain_isLimited_inAnyOrder() throws {
        func file(_ count: Int) -> String {
            let members = (1...count).map { #""a\#($0)":"${missing:${a\#($0 - 1)}}""# }
            return #"{"a0":"x",\#(members.joined(separator: ",\n"))}"#
        }
        let properties = try load(["": file(256)])
        // As one of two layers, the settings are resolved when they are read.
        let module = try Properties(overrides: ["y": 1], name: "module Fakes")
        let stack = Properties.stacked(above: [module], base: properties, below: [])
        #expect(try stack.value("a256", as: String.self) == "x")
        #expect(
            message { _ = try load(["": file(258)]) }
                == "a257: placeholders lead to placeholders more than 256 deep (application.json:257:8)")
    }

    @Test("A message shows a placeholder without a long default", arguments: [(100, false), (200, true)])
    func message_hasNoLongDefault(length: Int, isLong: Bool) {
        let text = String(repeating: "y", count: length)
        #expect(
            message { _ = try load(["": #"{"o":{},"a":"x${o:\#(text)}"}"#]) }
                == "a: ${o:\(isLong ? "…" : text)} leads to an object, which cannot be part of a text (application.json:1:13)"
        )
    }
}
