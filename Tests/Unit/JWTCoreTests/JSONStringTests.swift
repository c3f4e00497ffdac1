import JWTCore
import Testing

struct JSONStringTests {
    @Test(arguments: [
        ("", ""), ("abc", "abc"), (#"\""#, "\""), (#"\\"#, "\\"), ("\\/", "/"), ("/", "/"), ("\\b\\f\\n\\r\\t", "\u{8}\u{c}\n\r\t"),
        ("\\u0000", "\0"), ("a\\u0000b", "a\0b"), ("\\u0041", "A"), ("\\u00E9", "é"), ("\\u20aC", "€"), ("\\ud83d\\ude00", "😀"),
        ("\\uD800\\uDC00", "\u{10000}"), ("\\uDBFF\\uDFFF", "\u{10FFFF}"), ("\\ufffe\\uffff", "\u{fffe}\u{ffff}"), ("\\ufeff", "\u{feff}"),
        ("é€😀\u{7f}", "é€😀\u{7f}"), ("\\\\u0041", "\\u0041"), (#"\\\""#, #"\""#), ("x\\ud83d\\ude00y", "x😀y"),
    ])
    func escapesAreUndone(written: String, meant: String) throws {
        try withJSON("\"\(written)\"") { value in
            let string = value.string?.string, utf8 = value.string?.utf8, isEscaped = value.string?.isEscaped
            let raw = text(value.raw)
            #expect(string == meant)
            #expect(utf8 == Array(meant.utf8))
            #expect(isEscaped == written.contains("\\"))
            #expect(raw == written)
            for other in [meant, meant + "x", String(meant.dropLast()) + "?"] {
                let isEqual = value.string?.equals(other)
                #expect(isEqual == (Array(other.utf8) == Array(meant.utf8)))
            }
        }
    }

    /// Digits cut off by the end of the text give the offset of the `u`; other errors give their own offset.
    @Test(arguments: [
        ("\\", 3), ("\\q", 2), ("\\x41", 2), ("\\'", 2), ("\\0", 2), ("\\U0041", 2), ("\\u", 2), ("\\u00", 2), ("\\u004", 6),
        ("\\u004g", 6), ("\\u 041", 3), ("\\u+041", 3), ("\t", 1), ("\n", 1), ("\0", 1), ("\u{1f}", 1), ("a\u{1}", 2), ("\\\n", 2),
        ("\\ud800", 7), ("\\udbff", 7), ("\\ud800x", 7), ("\\ud800\\n", 8), ("\\ud800\\u0041", 13), ("\\ud800\\ud800", 13), ("\\udc00", 7),
        ("\\udfff", 7), ("\\ude00\\ud83d", 7), ("\\ud83d\\ude0", 12), ("\\ud83d\\u", 8),
    ])
    func badEscapesAndControlCharactersAreRefused(written: String, offset: Int) {
        #expect(reading("\"\(written)\"") == "invalid_json@\(offset)")
    }

    @Test
    func everyCodeUnitAloneIsAScalarOrRefused() throws {
        var wrong: [UInt32] = []
        for unit in UInt32(0)...0xffff {
            let digits = String(unit, radix: 16)
            let written = "\"\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)\""
            let decoded = try? withJSON(written) { $0.string?.utf8 }
            if decoded != Unicode.Scalar(unit).map({ Array(String($0).utf8) }) { wrong.append(unit) }
        }
        #expect(wrong.isEmpty)
    }
}

struct JSONValueTests {
    private let document = #"{"a":{"\u0062":{"c":[1,"two",[3],null]}},"list":["x","\u0079"],"text":"x","t":true,"f":false,"n":null}"#

    @Test
    func membersAreFoundByTheirUnescapedNames() throws {
        try withJSON(document) { value in
            let number = value.value(at: "a", "b", "c")?[0]?.number?.int64, word = value["a"]?["b"]?["c"]?[1]?.string?.string
            #expect(number == 1)
            #expect(word == "two")
            let strangers = [value["A"] == nil, value["a\0"] == nil, value.value(at: "a", "x") == nil]
            let notMembers = [value["text"]?["x"] == nil, value[0] == nil]
            #expect((strangers + notMembers).allSatisfy { $0 })
        }
    }

    @Test
    func aPathGoesThroughMembersAndElements() throws {
        try withJSON(document) { value in
            let found = [value.value(at: "a", "b", "c", 2, 0)?.number?.int64 == 3, value.value(at: "list", 1)?.string?.equals("y")]
            #expect(found == [true, true])
            let missing = [value.value(at: "a", 0) == nil, value.value(at: "list", "x") == nil, value.value(at: "list", 2) == nil]
            #expect(missing == [true, true, true])
            let whole = value.value()?.isObject
            #expect(whole == true)
        }
    }

    @Test
    func elementsAreFoundWithinTheArrayOnly() throws {
        try withJSON(document) { value in
            let list = value.value(at: "a", "b", "c")
            let kinds = [list?[2]?.isArray, list?[3]?.isNull, list?[4] == nil, list?[-1] == nil]
            #expect(kinds == [true, true, true, true])
            let count = list?.count
            #expect(count == 4)
        }
    }

    @Test
    func whatAValueIsNotItDoesNotGive() throws {
        try withJSON(document) { value in
            let bools = [value["t"]?.bool, value["f"]?.bool, value["n"]?.bool, value["text"]?.bool]
            #expect(bools == [true, false, nil, nil])
            let others = [value["t"]?.string == nil, value["text"]?.number == nil, value["n"]?.date == nil, value["list"]?.string == nil]
            #expect(others.allSatisfy { $0 })
        }
    }

    @Test(arguments: [
        ("list", "x", true), ("list", "y", true), ("list", "z", false), ("text", "x", true), ("text", "", false), ("n", "null", false),
        ("a", "b", false),
    ])
    func containmentIsOfAStringOrInAListOfThem(member: String, text: String, expected: Bool) throws {
        try withJSON(document) { value in
            let contains = value[member]?.contains(text)
            #expect(contains == expected)
        }
    }

    @Test
    func iterationIsInDocumentOrder() throws {
        try withJSON(document) { value in
            var names: [String] = [], elements: [String] = []
            value.forEachMember { name, _ in names.append(name.string) }
            value["a"]?["b"]?["c"]?.forEachElement { elements.append(text($0.raw)) }
            #expect(names == ["a", "list", "text", "t", "f", "n"])
            #expect(elements == ["1", "two", "[3]", "null"])
            value["text"]?.forEachElement { _ in names.append("never") }
            value["list"]?.forEachMember { _, _ in names.append("never") }
            #expect(names.count == 6)
        }
    }
}
