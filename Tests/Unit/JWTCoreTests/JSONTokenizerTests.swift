import JWTCore
import Testing

struct JSONTapeTests {
    /// A record of the tape: start, length, next, kind, flag and count.
    private struct Record: Equatable, CustomStringConvertible {
        var description: String

        init(_ kind: String, _ start: Int, _ length: Int, next: Int, flag: Int = 0, count: Int = 0) {
            description = "\(kind) \(start)+\(length) next \(next) flag \(flag) count \(count)"
        }

        init(_ node: JSONNode) {
            // SAFETY: a record is four 32-bit words without padding.
            let words = unsafe unsafeBitCast(node, to: SIMD4<UInt32>.self)
            self.init(
                "\(node.kind)", Int(words[0]), Int(words[1]), next: Int(words[2]), flag: Int(words[3] >> 8 & 1), count: Int(words[3] >> 9))
        }
    }

    private func records(_ text: String) throws -> [Record] { try tape(of: Array(text.utf8)).map(Record.init) }

    /// The worked example of JSONNode.swift.
    @Test
    func theWorkedExampleIsLaidOutAsItSays() throws {
        #expect(MemoryLayout<JSONNode>.stride == 16)
        #expect(
            try records(#"{"aud":["a","b"],"exp":9.5}"#) == [
                Record("object", 0, 27, next: 7, count: 2),
                Record("string", 2, 3, next: 2),
                Record("array", 7, 9, next: 5, count: 2),
                Record("string", 9, 1, next: 4),
                Record("string", 13, 1, next: 5),
                Record("string", 18, 3, next: 6),
                Record("number", 23, 3, next: 7, flag: 1),
            ])
    }

    /// A tape of a caller may have room for fewer records than the limits allow.
    @Test(arguments: [
        ("[1,2,3]", 4, "valid"), ("[1,2,3]", 3, "too_many_members@6"), (#"{"a":1}"#, 2, "too_many_members@6"),
        ("1", 0, "too_many_members@1"),
    ])
    func aFullTapeEndsTheReading(text: String, room: Int, expected: String) {
        for isByReference in [false, true] {
            let said = outcome {
                var tape = [JSONNode](repeating: .placeholder, count: room)
                _ = try Self.count(text.utf8.span, tape.mutableSpan, isByReference)
            }
            #expect(said == expected)
        }
    }

    private static func count(
        _ text: Span<UInt8>, _ tape: consuming MutableSpan<JSONNode>, _ isByReference: Bool
    ) throws(VerificationError) -> Int {
        var tokenizer = JSONTokenizer(text, tape: tape, limits: .payload)
        return isByReference ? try tokenizer.tokenizeByReference() : try tokenizer.tokenize()
    }

    @Test
    func containersWithinContainersAreSkippedByTheirNext() throws {
        let written = try records(#" [ {} , [[]], {"\n":{"b":[1e1]}},true,false,null,"\u0041",-0 ] "#)
        let expected = [
            Record("array", 1, 61, next: 15, count: 8),
            Record("object", 3, 2, next: 2),
            Record("array", 8, 4, next: 4, count: 1),
            Record("array", 9, 2, next: 4),
            Record("object", 14, 18, next: 10, count: 1),
            Record("string", 16, 2, next: 6, flag: 1),
            Record("object", 20, 11, next: 10, count: 1),
            Record("string", 22, 1, next: 8),
            Record("array", 25, 5, next: 10, count: 1),
            Record("number", 26, 3, next: 10, flag: 1),
            Record("true", 33, 4, next: 11),
            Record("false", 38, 5, next: 12),
            Record("null", 44, 4, next: 13),
            Record("string", 50, 6, next: 14, flag: 1),
            Record("number", 58, 2, next: 15),
        ]
        #expect(written == expected)
    }

    @Test(arguments: ["0", "-0", "1.5", #""""#, "true", "false", "null", "[]", "{}", "\t\r\n {} \t\r\n"])
    func anyValueMayStandAlone(text: String) throws {
        #expect(try records(text).count == 1)
    }
}

struct JSONTokenizerTests {
    @Test(arguments: [
        ("", 0), (" ", 1), ("{", 1), ("[", 1), ("}", 0), ("]", 0), (",", 0), (":", 0), ("{]", 1), ("[}", 1), ("[1}", 2), (#"{"a":1]"#, 6),
        ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[1 2]", 3), ("[1]]", 3), ("[1],", 3), ("{}{}", 2), ("{} x", 3),
        ("{a:1}", 1), ("{'a':1}", 1), ("{1:1}", 1), (#"{"a"}"#, 4), (#"{"a" 1}"#, 5), (#"{"a",1}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7),
        (#"{"a":1 "b":2}"#, 7), ("{,}", 1), (#"{"a"::1}"#, 5), ("[1,//\n2]", 3), ("[/**/]", 1), ("#", 0), ("\u{feff}{}", 0), ("{}\0", 2),
        ("\0{}", 0), ("[1\0]", 2), ("\u{b}1", 0), ("1\u{a0}", 1), ("\u{2028}", 0),
        // Literals are three words.
        ("tru", 0), ("True", 0), ("TRUE", 0), ("truex", 4), ("nul", 0), ("nulL", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1),
        ("undefined", 0), ("fals", 0), ("falsey", 5), ("[true false]", 6), ("t", 0), ("n\0ll", 0),
        // Numbers are decimal without leading zeros.
        ("-", 1), ("+1", 0), ("01", 1), ("-01", 2), ("00", 1), ("1.", 2), (".5", 0), ("-.5", 1), ("1.e1", 2), ("1e", 2), ("1e+", 3),
        ("1e-", 3), ("1E+-1", 3), ("1e1.5", 3), ("1.2.3", 3), ("0x10", 1), ("1_000", 1), ("1a", 1), ("--1", 1), ("1-", 1), ("[1e]", 3),
        ("1 1", 2), ("0e", 2), ("１", 0),
    ])
    func whatRFC8259DoesNotHaveIsRefusedWhereItStands(text: String, offset: Int) {
        #expect(reading(text) == "invalid_json@\(offset)")
    }

    @Test
    func everyByteAsAWholeTextIsADigitOrRefused() {
        let beginnings = Array(" \t\n\r{[\"-".utf8)
        for byte in UInt8.min...UInt8.max {
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let refusal = byte >= 0x80 ? "invalid_utf8@0" : "invalid_json@\(beginnings.contains(byte) ? 1 : 0)"
            let expected = digits.contains(byte) ? "valid" : refusal
            #expect(reading([byte]) == expected)
        }
    }

    @Test
    func everyPrefixOfATextIsRefused() {
        let text = Array(#"{"iss":"a\u00e9\ud83d\ude00","aud":["x",[]],"exp":{"a":true,"b":null},"c":false}"#.utf8)
        #expect(reading(text) == "valid")
        for length in text.indices { #expect(reading(Array(text.prefix(length))).hasPrefix("invalid_json@")) }
    }

    // UTF-8 is checked first, over the whole text

    @Test(
        arguments: [
            ([0xc0, 0x80], 0), ([0xc1, 0xbf], 0), ([0xe0, 0x9f, 0xbf], 0), ([0xf0, 0x8f, 0xbf, 0xbf], 0), ([0xed, 0xa0, 0x80], 0),
            ([0xed, 0xbf, 0xbf], 0), ([0xf4, 0x90, 0x80, 0x80], 0), ([0xf5, 0x80, 0x80, 0x80], 0), ([0xff], 0), ([0xfe], 0), ([0x80], 0),
            ([0xc3], 0), ([0xe2, 0x82], 0), ([0xf0, 0x9f, 0x98], 0), ([0x61, 0xc3, 0xa9, 0xbf], 3),
            ([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], 0),
        ] as [([UInt8], Int)])
    func illFormedUTF8IsRefusedInNamesAndValuesAlike(bytes: [UInt8], offset: Int) {
        let name = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
        let value = Array("[\"".utf8) + bytes + Array("\"]".utf8)
        #expect(reading(name) == "invalid_utf8@\(2 + offset)")
        #expect(reading(value) == "invalid_utf8@\(2 + offset)")
        #expect(reading(bytes) == "invalid_utf8@\(offset)")
        #expect(reading(Array("[tru".utf8) + bytes) == "invalid_utf8@\(4 + offset)")
    }

    // Limits, exactly reached and exceeded

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")])
    func depthIsLimited(opening: String, closing: String) {
        let step = opening.count == 6 ? 2 : 1
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth / step) + "0" + String(repeating: closing, count: depth / step)
        }
        #expect(reading(nested(16)) == "valid")
        #expect(reading(nested(18)) == "nesting_too_deep@\(16 / step * opening.count)")
    }

    @Test(arguments: [17, 1_000, 100_000, 1_000_000])
    func anyDepthBeyondIsRefusedWhereItBegins(depth: Int) {
        #expect(reading(String(repeating: "[", count: depth)) == "nesting_too_deep@16")
        #expect(reading(String(repeating: #"{"":"#, count: depth)) == "nesting_too_deep@64")
    }

    @Test
    func siblingsDoNotAddToDepth() {
        let deep = String(repeating: "[", count: 15) + String(repeating: "]", count: 15)
        #expect(reading("[\(deep),\(deep),\(deep)]") == "valid")
    }

    /// Some values are read by a loop that takes many members at once.
    @Test(arguments: ["0", "true", "null", #""""#, #""text""#, "1700000000", #"["a","b"]"#, "{}", "-1.5"])
    func membersOfOneObjectAreLimited(value: String) {
        func object(_ members: Int) -> String { "{\((0..<members).map { "\"\(1_000 + $0)\":\(value)" }.joined(separator: ","))}" }
        let length = #""1000":,"#.utf8.count + value.utf8.count
        #expect(reading(object(256)) == "valid")
        #expect(reading(object(257)) == "too_many_members@\(1 + 256 * length)")
        #expect(reading("[\(object(256)),\(object(256))]") == "valid")
    }

    @Test
    func valuesOfAllContainersTogetherAreLimited() {
        func list(_ elements: Int) -> String { "[\(Array(repeating: "0", count: elements).joined(separator: ","))]" }
        #expect(reading(list(2_047)) == "valid")
        #expect(reading(list(2_048)) == "too_many_members@\(1 + 2 * 2_047)")
        #expect(reading("[\(list(1_022)),\(list(1_023))]") == "valid")
        #expect(reading("[\(list(1_023)),\(list(1_023))]").hasPrefix("too_many_members@"))
    }

    @Test(arguments: ["a", "\\n", "\\u0041", "é"])
    func stringsAreLimitedAsWritten(letter: String) {
        let fitting = String(repeating: letter, count: 8_192 / letter.utf8.count)
        let filled = fitting + String(repeating: "a", count: 8_192 - fitting.utf8.count)
        #expect(reading("[\"\(filled)\"]") == "valid")
        #expect(reading("[\"\(filled)a\"]") == "token_too_large@1")
        #expect(reading("{\"\(filled)\":0}") == "valid")
        #expect(reading("{\"\(filled)a\":0}") == "token_too_large@1")
    }

    @Test(arguments: ["1", "-1", "0.", "1e", "-0.0e-"])
    func numbersAreLimited(beginning: String) {
        let number = beginning + String(repeating: "1", count: 64 - beginning.count)
        #expect(reading("[\(number)]") == "valid")
        #expect(reading("[\(number)0]") == "token_too_large@1")
    }

    @Test
    func limitsOfZeroRefuseEverything() {
        let nothing = JSONLimits(depth: 0, members: 0, values: 0, stringBytes: 0, numberBytes: 0)
        for text in ["{}", "[]", #""""#, "0", "null"] { #expect(reading(text, limits: nothing) == "too_many_members@0") }
    }
}
