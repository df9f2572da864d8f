import LocatorProperties
import Testing

@Suite("The reader rejects what RFC 8259 forbids, and says what it expected and found")
struct JSONRefusedTests {
    @Test("A text is rejected with a message", arguments: texts)
    func read_throws_whenTextIsNotJSON(text: String, message: String) {
        #expect(refusal(of: Array(text.utf8)) == message)
        // The same text with other text after it, so that the reader does not stop because the buffer ends.
        #expect(refusal(of: Array((text + "\n ").utf8)) != nil)
    }

    private static let texts: [(String, String)] = [
        ("", "f.json:1:1: expected a value, found an empty text"),
        (
            "{",
            "f.json:1:2: expected a key in double quotes or '}', found the end of the text; the object from 1:1 is not closed"
        ),
        ("[", "f.json:1:2: expected a value or ']', found the end of the text; the array from 1:1 is not closed"),
        ("}", "f.json:1:1: expected a value, found '}'"),
        ("]", "f.json:1:1: expected a value, found ']'"),
        (",", "f.json:1:1: expected a value, found ','; a value is missing before it, or the comma is one too many"),
        (":", "f.json:1:1: expected a value, found ':'"),
        ("[1", "f.json:1:3: expected ',' or ']', found the end of the text; the array from 1:1 is not closed"),
        ("[1,", "f.json:1:4: expected a value, found the end of the text; the array from 1:1 is not closed"),
        ("[1,]", "f.json:1:4: expected another element after ',', found ']'; JSON has no trailing commas"),
        (
            "[,]",
            "f.json:1:2: expected a value or ']', found ','; a value is missing before it, or the comma is one too many"
        ),
        (
            "[,1]",
            "f.json:1:2: expected a value or ']', found ','; a value is missing before it, or the comma is one too many"
        ),
        (
            "[1,,2]",
            "f.json:1:4: expected a value, found ','; a value is missing before it, or the comma is one too many"
        ),
        ("[1 2]", "f.json:1:4: expected ',' or ']', found the number 2"),
        ("[1:2]", "f.json:1:3: expected ',' or ']', found ':'"),
        ("[1}", "f.json:1:3: expected ',' or ']', found '}'"),
        ("[1;2]", "f.json:1:3: expected ',' or ']', found ';'"),
        ("[\"a\" \"b\"]", "f.json:1:6: expected ',' or ']', found a string; is a comma missing after 1:4?"),
        (
            "{\"a\"",
            "f.json:1:5: expected ':' after the key, found the end of the text; the object from 1:1 is not closed"
        ),
        ("{\"a\":", "f.json:1:6: expected a value, found the end of the text; the object from 1:1 is not closed"),
        ("{\"a\":1", "f.json:1:7: expected ',' or '}', found the end of the text; the object from 1:1 is not closed"),
        (
            "{\"a\":1,",
            "f.json:1:8: expected a key in double quotes, found the end of the text; the object from 1:1 is not closed"
        ),
        ("{\"a\":1,}", "f.json:1:8: expected another key after ',', found '}'; JSON has no trailing commas"),
        ("{,}", "f.json:1:2: expected a key in double quotes or '}', found ','; the comma is one too many"),
        ("{\"a\"}", "f.json:1:5: expected ':' after the key, found '}'"),
        ("{\"a\" 1}", "f.json:1:6: expected ':' after the key, found something else after a string"),
        ("{\"a\",1}", "f.json:1:5: expected ':' after the key, found ','"),
        ("{\"a\"::1}", "f.json:1:6: expected a value, found ':'"),
        (
            "{\"a\":,}",
            "f.json:1:6: expected a value, found ','; a value is missing before it, or the comma is one too many"
        ),
        ("{\"a\":}", "f.json:1:6: expected a value, found '}'"),
        ("{\"a\":1 \"b\":2}", "f.json:1:8: expected ',' or '}', found a string; is a comma missing after 1:6?"),
        ("{\"a\":1;\"b\":2}", "f.json:1:7: expected ',' or '}', found ';'"),
        ("{\"a\":1,,\"b\":2}", "f.json:1:8: expected a key in double quotes, found ','; the comma is one too many"),
        ("{\"a\":1]", "f.json:1:7: expected ',' or '}', found ']'"),
        ("{a:1}", "f.json:1:2: expected a key in double quotes or '}', found the word a; did you mean \"a\"?"),
        ("{_a:1}", "f.json:1:2: expected a key in double quotes or '}', found the word _a; did you mean \"_a\"?"),
        ("{$a:1}", "f.json:1:2: expected a key in double quotes or '}', found the word $a; did you mean \"$a\"?"),
        ("{1:1}", "f.json:1:2: expected a key in double quotes or '}', found the number 1; did you mean \"1\"?"),
        ("{null:1}", "f.json:1:2: expected a key in double quotes or '}', found the word null; did you mean \"null\"?"),
        (
            "{'a':1}",
            "f.json:1:2: expected a key in double quotes or '}', found a single quote; JSON has double quotes only"
        ),
        ("{[]:1}", "f.json:1:2: expected a key in double quotes or '}', found '['"),
        ("{\"a\":1}}", "f.json:1:8: expected the end of the text, found '}'"),
        ("[1]]", "f.json:1:4: expected the end of the text, found ']'"),
        ("1 2", "f.json:1:3: expected the end of the text, found the number 2"),
        ("1,2", "f.json:1:2: expected the end of the text, found ','"),
        ("1]", "f.json:1:2: expected the end of the text, found ']'"),
        ("{} {}", "f.json:1:4: expected the end of the text, found '{'"),
        ("true false", "f.json:1:6: expected the end of the text, found the word false"),
        ("truefalse", "f.json:1:1: expected a value, found the word truefalse; write text in double quotes"),
        ("\"\"\"\"", "f.json:1:3: expected the end of the text, found a string"),
        (
            "\"a\" b",
            "f.json:1:5: expected the end of the text, found something else after a string; "
                + "write \\\" for a quote within it"
        ),
        ("True", "f.json:1:1: expected a value, found True; write true"),
        ("TRUE", "f.json:1:1: expected a value, found TRUE; write true"),
        ("tru", "f.json:1:1: expected a value, found the word tru; did you mean true?"),
        ("truth", "f.json:1:1: expected a value, found the word truth; write text in double quotes"),
        ("true1", "f.json:1:1: expected a value, found the word true1; did you mean true?"),
        ("False", "f.json:1:1: expected a value, found False; write false"),
        ("FALSE", "f.json:1:1: expected a value, found FALSE; write false"),
        ("nul", "f.json:1:1: expected a value, found the word nul; did you mean null?"),
        ("Null", "f.json:1:1: expected a value, found Null; write null"),
        ("NULL", "f.json:1:1: expected a value, found NULL; write null"),
        ("nil", "f.json:1:1: expected a value, found nil; write null"),
        ("None", "f.json:1:1: expected a value, found None; write null"),
        ("undefined", "f.json:1:1: expected a value, found undefined; write null"),
        ("yes", "f.json:1:1: expected a value, found yes; write true"),
        ("no", "f.json:1:1: expected a value, found no; write false"),
        ("on", "f.json:1:1: expected a value, found on; write true"),
        ("off", "f.json:1:1: expected a value, found off; write false"),
        ("NaN", "f.json:1:1: expected a value, found NaN; JSON has no such number"),
        ("nan", "f.json:1:1: expected a value, found nan; JSON has no such number"),
        ("Infinity", "f.json:1:1: expected a value, found Infinity; JSON has no such number"),
        ("-Infinity", "f.json:1:1: expected a value, found -Infinity; JSON has no such number"),
        ("-NaN", "f.json:1:1: expected a value, found -NaN; JSON has no such number"),
        ("inf", "f.json:1:1: expected a value, found inf; JSON has no such number"),
        ("-inf", "f.json:1:1: expected a value, found -inf; JSON has no such number"),
        ("abc", "f.json:1:1: expected a value, found the word abc; write text in double quotes"),
        ("_", "f.json:1:1: expected a value, found the word _; write text in double quotes"),
        ("$", "f.json:1:1: expected a value, found the word $; write text in double quotes"),
        ("01", "f.json:1:1: expected a number, found 01; a number in JSON has no leading zeros"),
        ("-01", "f.json:1:1: expected a number, found -01; a number in JSON has no leading zeros"),
        ("00", "f.json:1:1: expected a number, found 00; a number in JSON has no leading zeros"),
        ("007", "f.json:1:1: expected a number, found 007; a number in JSON has no leading zeros"),
        ("0123", "f.json:1:1: expected a number, found 0123; a number in JSON has no leading zeros"),
        ("+1", "f.json:1:1: expected a value, found '+'; a number in JSON has no plus sign"),
        ("+", "f.json:1:1: expected a value, found '+'; a number in JSON has no plus sign"),
        (".5", "f.json:1:1: expected a value, found '.'; a number in JSON begins with a digit"),
        ("-.5", "f.json:1:2: expected a digit after '-', found '.'"),
        (".", "f.json:1:1: expected a value, found '.'; a number in JSON begins with a digit"),
        ("1.", "f.json:1:3: expected a digit after '.', found the end of the text"),
        ("-1.", "f.json:1:4: expected a digit after '.', found the end of the text"),
        ("1.e5", "f.json:1:3: expected a digit after '.', found 'e'"),
        ("1..2", "f.json:1:3: expected a digit after '.', found '.'"),
        ("1.2.3", "f.json:1:4: expected the number 1.2 to end, found '.'"),
        ("1e", "f.json:1:3: expected a digit in the exponent, found the end of the text"),
        ("1E", "f.json:1:3: expected a digit in the exponent, found the end of the text"),
        ("1e+", "f.json:1:4: expected a digit in the exponent, found the end of the text"),
        ("1e-", "f.json:1:4: expected a digit in the exponent, found the end of the text"),
        ("1e1.5", "f.json:1:4: expected the number 1e1 to end, found '.'"),
        ("1e5e5", "f.json:1:4: expected the number 1e5 to end, found 'e'"),
        ("1.5e", "f.json:1:5: expected a digit in the exponent, found the end of the text"),
        ("-", "f.json:1:2: expected a digit after '-', found the end of the text"),
        ("--1", "f.json:1:2: expected a digit after '-', found '-'"),
        ("-a", "f.json:1:2: expected a digit after '-', found 'a'"),
        ("0x10", "f.json:1:2: expected the number 0 to end, found 'x'"),
        ("0b1", "f.json:1:2: expected the number 0 to end, found 'b'"),
        ("1a", "f.json:1:2: expected the number 1 to end, found 'a'"),
        ("80a", "f.json:1:3: expected the number 80 to end, found 'a'"),
        ("1_000", "f.json:1:2: expected the number 1 to end, found '_'"),
        ("1,000", "f.json:1:2: expected the end of the text, found ','"),
        ("1'000", "f.json:1:2: expected the end of the text, found a single quote; JSON has double quotes only"),
        ("0.1f", "f.json:1:4: expected the number 0.1 to end, found 'f'"),
        ("1L", "f.json:1:2: expected the number 1 to end, found 'L'"),
        ("1-2", "f.json:1:2: expected the number 1 to end, found '-'"),
        ("1+2", "f.json:1:2: expected the number 1 to end, found '+'"),
        ("'a'", "f.json:1:1: expected a value, found a single quote; JSON has double quotes only"),
        ("\"a", "f.json:1:3: expected '\"', found the end of the text; the string from 1:1 is not closed"),
        ("\"", "f.json:1:2: expected '\"', found the end of the text; the string from 1:1 is not closed"),
        ("\"a\\", "f.json:1:4: expected one of \" \\ / b f n r t u after '\\', found the end of the text"),
        ("\"\\", "f.json:1:3: expected one of \" \\ / b f n r t u after '\\', found the end of the text"),
        ("\"a\\\"", "f.json:1:5: expected '\"', found the end of the text; the string from 1:1 is not closed"),
        (
            "\"\\x\"",
            "f.json:1:3: expected one of \" \\ / b f n r t u after '\\', found 'x'; write \\\\ for a backslash"
        ),
        (
            "\"\\a\"",
            "f.json:1:3: expected one of \" \\ / b f n r t u after '\\', found 'a'; write \\\\ for a backslash"
        ),
        (
            "\"\\0\"",
            "f.json:1:3: expected one of \" \\ / b f n r t u after '\\', found '0'; write \\\\ for a backslash"
        ),
        (
            "\"\\'\"",
            "f.json:1:3: expected one of \" \\ / b f n r t u after '\\', found '''; write \\\\ for a backslash"
        ),
        (
            "\"\\U0041\"",
            "f.json:1:3: expected one of \" \\ / b f n r t u after '\\', found 'U'; write \\\\ for a backslash"
        ),
        ("\"\\u\"", "f.json:1:4: expected four hexadecimal digits after '\\u', found '\"'; write \\\\ for a backslash"),
        (
            "\"\\u1\"",
            "f.json:1:5: expected four hexadecimal digits after '\\u', found '\"'; write \\\\ for a backslash"
        ),
        (
            "\"\\u12\"",
            "f.json:1:6: expected four hexadecimal digits after '\\u', found '\"'; write \\\\ for a backslash"
        ),
        (
            "\"\\u123\"",
            "f.json:1:7: expected four hexadecimal digits after '\\u', found '\"'; write \\\\ for a backslash"
        ),
        (
            "\"\\u123g\"",
            "f.json:1:7: expected four hexadecimal digits after '\\u', found 'g'; write \\\\ for a backslash"
        ),
        (
            "\"\\uxyz1\"",
            "f.json:1:4: expected four hexadecimal digits after '\\u', found 'x'; write \\\\ for a backslash"
        ),
        (
            "\"\\u 123\"",
            "f.json:1:4: expected four hexadecimal digits after '\\u', found ' '; write \\\\ for a backslash"
        ),
        (
            "\"\\u00-1\"",
            "f.json:1:6: expected four hexadecimal digits after '\\u', found '-'; write \\\\ for a backslash"
        ),
        ("\"\\ud800\"", "f.json:1:2: expected a surrogate pair, found \\uD800 without its second half"),
        ("\"\\udc00\"", "f.json:1:2: expected a surrogate pair, found \\uDC00 without its first half"),
        ("\"\\uD83D\"", "f.json:1:2: expected a surrogate pair, found \\uD83D without its second half"),
        ("\"\\ud83dx\"", "f.json:1:2: expected a surrogate pair, found \\uD83D without its second half"),
        ("\"\\ud83d\\n\"", "f.json:1:2: expected a surrogate pair, found \\uD83D without its second half"),
        ("\"\\ud83d\\u0041\"", "f.json:1:2: expected a surrogate pair, found \\uD83D without its second half"),
        ("\"\\ud83d\\ud83d\"", "f.json:1:2: expected a surrogate pair, found \\uD83D without its second half"),
        ("\"\\ude00\\ud83d\"", "f.json:1:2: expected a surrogate pair, found \\uDE00 without its first half"),
        ("// comment", "f.json:1:1: expected a value, found a comment; JSON does not allow comments"),
        ("/* comment */", "f.json:1:1: expected a value, found a comment; JSON does not allow comments"),
        ("1 // comment", "f.json:1:3: expected the end of the text, found a comment; JSON does not allow comments"),
        ("[1, // one", "f.json:1:5: expected a value, found a comment; JSON does not allow comments"),
        ("[1 /* one */]", "f.json:1:4: expected ',' or ']', found a comment; JSON does not allow comments"),
        (
            "{/* none */}",
            "f.json:1:2: expected a key in double quotes or '}', found a comment; JSON does not allow comments"
        ),
        ("# comment", "f.json:1:1: expected a value, found a comment; JSON does not allow comments"),
        ("/", "f.json:1:1: expected a value, found '/'"),
        ("/a", "f.json:1:1: expected a value, found '/'"),
        ("[1,2,3]/", "f.json:1:8: expected the end of the text, found '/'"),
        ("\\", "f.json:1:1: expected a value, found '\\'"),
        ("@", "f.json:1:1: expected a value, found '@'"),
        ("%", "f.json:1:1: expected a value, found '%'"),
        ("(1)", "f.json:1:1: expected a value, found '('"),
        ("<xml/>", "f.json:1:1: expected a value, found '<'"),
        ("a: 1", "f.json:1:1: expected a value, found the word a; write text in double quotes"),
        ("[env]", "f.json:1:2: expected a value or ']', found the word env; write text in double quotes"),
        ("key = 1", "f.json:1:1: expected a value, found the word key; write text in double quotes"),
        ("“a”", "f.json:1:1: expected a value, found '“'; JSON has straight quotes only: \""),
        ("é", "f.json:1:1: expected a value, found 'é'"),
        ("{\"a\":1,\"a\":2}", "f.json:1:8: expected a new key, found \"a\" again; it is first at 1:2"),
        ("{\"a\":1,\"b\":2,\"a\":3}", "f.json:1:14: expected a new key, found \"a\" again; it is first at 1:2"),
        ("{\"a\":{\"b\":1,\"b\":2}}", "f.json:1:13: expected a new key, found \"b\" again; it is first at 1:7"),
        ("{\"a\":1,\"\\u0061\":2}", "f.json:1:8: expected a new key, found \"a\" again; it is first at 1:2"),
        ("{\"\":1,\"\":2}", "f.json:1:7: expected a new key, found \"\" again; it is first at 1:2"),
        (
            "{\"password\":hunter2}",
            "f.json:1:13: expected a value, found something else (not shown, it belongs to a secret)"
        ),
        (
            "{\"password\": \"a\" hunter2}",
            "f.json:1:18: expected ',' or '}', found something else after a string; "
                + "write \\\" for a quote within it"
        ),
        (
            "{\"password\": 0hunter2}",
            "f.json:1:15: expected a value, found something else (not shown, it belongs to a secret)"
        ),
        (
            "{\"db\":{\"authToken\":tok}}",
            "f.json:1:20: expected a value, found something else (not shown, it belongs to a secret)"
        ),
        (
            "{\"tokenizer\":tok}",
            "f.json:1:14: expected a value, found the word tok; write text in double quotes"
        ),
        ("   ", "f.json:1:4: expected a value, found an empty text"),
        ("\n\n", "f.json:3:1: expected a value, found an empty text"),
        ("\t", "f.json:1:2: expected a value, found an empty text"),
        ("[1,\n2,\n]", "f.json:3:1: expected another element after ',', found ']'; JSON has no trailing commas"),
        ("{\n  \"a\": 1,\n  \"b\" 2\n}", "f.json:3:7: expected ':' after the key, found something else after a string"),
        (
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            "f.json:3:3: expected ',' or '}', found a string; is a comma missing after 2:8?"
        ),
        (
            "{\r\n  \"ä\": \"ö\"  \r\n\r\n  \"b\": 2\n}",
            "f.json:4:3: expected ',' or '}', found a string; is a comma missing after 2:10?"
        ),
        ("\"a\tb\"", "f.json:1:3: expected '\"', found a tab within a string; write it as \\t"),
        ("\"a\nb\"", "f.json:1:3: expected '\"', found a line break within a string; write it as \\n"),
        ("\"a\rb\"", "f.json:1:3: expected '\"', found a line break within a string; write it as \\r"),
        (
            "\"a\u{0}b\"",
            "f.json:1:3: expected '\"', found the control character U+0000 within a string; write it as \\u0000"
        ),
        (
            "\"a\u{1f}b\"",
            "f.json:1:3: expected '\"', found the control character U+001F within a string; write it as \\u001F"
        ),
        (
            "\"a long enough text, then\ta tab\"",
            "f.json:1:26: expected '\"', found a tab within a string; write it as \\t"
        ),
        ("\u{a0}1", "f.json:1:1: expected a value, found the character U+00A0"),
        ("\u{2028}1", "f.json:1:1: expected a value, found the character U+2028"),
        ("\u{200b}1", "f.json:1:1: expected a value, found the character U+200B"),
        ("\u{b}1", "f.json:1:1: expected a value, found the character U+000B"),
        ("\u{c}1", "f.json:1:1: expected a value, found the character U+000C"),
        ("[\"é\", x]", "f.json:1:7: expected a value, found the word x; write text in double quotes"),
        (
            "[\"日本\",\r\n\"😀\", x]",
            "f.json:2:6: expected a value, found the word x; write text in double quotes"
        ),
        ("\r\rx", "f.json:3:1: expected a value, found the word x; write text in double quotes"),
        ("\u{feff}x", "f.json:1:1: expected a value, found the word x; write text in double quotes"),
        ("\u{feff}\u{feff}1", "f.json:1:1: expected a value, found the character U+FEFF"),
        ("\u{feff}", "f.json:1:1: expected a value, found an empty text"),
        ("[fals", "f.json:1:2: expected a value or ']', found the word fals; did you mean false?"),
        ("[flase]", "f.json:1:2: expected a value or ']', found the word flase; did you mean false?"),
        ("{1: 1}", "f.json:1:2: expected a key in double quotes or '}', found the number 1; did you mean \"1\"?"),
        (
            "{\"a\":1,\"b\":{\"a\":1,\"a\":2,\"é\":3,\"é\":4},\"a\":3,\"a\":4}",
            """
            f.json:1:19: expected a new key, found "a" again; it is first at 1:13
            f.json:1:31: expected a new key, found "é" again; it is first at 1:25
            f.json:1:38: expected a new key, found "a" again; it is first at 1:2
            f.json:1:44: expected a new key, found "a" again; it is first at 1:2
            """
        ),
        (
            "{\"b\":{\"a\":1,\"a\":2},x}",
            """
            f.json:1:13: expected a new key, found "a" again; it is first at 1:7
            f.json:1:20: expected a key in double quotes, found the word x; did you mean "x"?
            """
        ),
        (
            "{\"a\": 1,\n \"b\": {\n  \"a\": 2,\n  \"c\": 3,\n  \"a\": 4}}",
            "f.json:5:3: expected a new key, found \"a\" again; it is first at 3:3"
        ),
        ("[\n  {\"a\": [1, 2}\n]", "f.json:2:14: expected ',' or ']', found '}'"),
    ]
}

/// The error for some bytes, or nil if they can be read.
func refusal(of bytes: [UInt8]) -> String? {
    do throws(PropertiesError) {
        _ = try JSONValue(parsing: bytes, file: "f.json")
        return nil
    } catch {
        return error.description
    }
}
