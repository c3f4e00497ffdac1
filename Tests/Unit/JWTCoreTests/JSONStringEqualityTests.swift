import JWTCore
import Testing

struct JSONStringEqualityTests {
    @Test(arguments: [("abc", "abc"), ("\\u0061bc", "abc"), ("", ""), ("\\ud83d\\ude00", "😀"), ("e\\u0301", "e\u{301}")])
    func aStringEqualsWhatItMeans(written: String, meant: String) throws {
        try withJSON(#"{"a":"\#(written)"}"#) { value in
            guard let string = value["a"]?.string else {
                Issue.record("the member a is no string")
                return
            }
            let equals = [string == meant, value["a"]?.string == meant, !(string != meant), !(value["a"]?.string != meant)]
            #expect(equals == [true, true, true, true])
            let differs = [string != meant + "x", value["a"]?.string != meant + "x", !(string == meant + "x")]
            #expect(differs == [true, true, true])
        }
    }

    @Test func literalsAndStaticStringsCompare() throws {
        try withJSON(#"{"a":"x","b":"\u0078","c":1}"#) { value in
            let name: StaticString = "x"
            guard let plain = value["a"]?.string, let escaped = value["b"]?.string else {
                Issue.record("a member is no string")
                return
            }
            let equals = [plain == "x", plain == name, escaped == "x", escaped == name, value["a"]?.string == "x"]
            #expect(equals == [true, true, true, true, true])
            let differs = [plain != "y", plain == "y", escaped != name]
            #expect(differs == [true, false, false])
        }
    }

    /// Compares bytes: é as one scalar differs from é as two (RFC 8259 section 8.3).
    @Test func nothingIsNormalised() throws {
        try withJSON(#"{"a":"\#u{e9}"}"#) { value in
            let isEqual = value["a"]?.string == "e\u{301}"
            #expect(!isEqual)
        }
    }

    @Test func whatIsMissingOrNoStringEqualsNothing() throws {
        try withJSON(#"{"c":1}"#) { value in
            let equals = [value["a"]?.string == "", value["c"]?.string == "1"]
            let differs = [value["a"]?.string != "", value["c"]?.string != "1"]
            #expect(equals == [false, false] && differs == [true, true])
        }
    }
}
