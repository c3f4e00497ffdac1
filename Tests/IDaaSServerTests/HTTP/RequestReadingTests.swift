#if IDaaS
import HTTPTypes
import IDaaSServer
import Secrets
import Testing

@Suite("Reading a request")
struct RequestReadingTests {
    @Test(
        "The language is X-L's, else the one Accept-Language likes best, else Chinese",
        arguments: [
            (nil, nil, Language.chinese), ("en", nil, .english), ("zh", "en", .chinese), ("EN-us", "zh", .english), (" en ", nil, .english),
            ("fr", "en", .english), ("fr", nil, .chinese), (nil, "en-GB,en;q=0.9", .english), (nil, "fr, zh;q=0.3, en;q=0.7", .english),
            (nil, "en;q=0.2, zh-CN;q=0.8", .chinese), (nil, "en;q=0", .chinese), (nil, "*", .chinese), (nil, ",;,q=;", .chinese),
        ] as [(String?, String?, Language)])
    func language(replyLanguage: String?, acceptLanguage: String?, expected: Language) {
        #expect(Language(replyLanguage: replyLanguage, acceptLanguage: acceptLanguage) == expected)
    }

    @Test("A request keeps its identifier where that is fit for a log line")
    func requestIdentifier() {
        for good in ["a", "3f2-A.b_9", String(repeating: "x", count: 64)] {
            #expect(RequestIdentifier.accepting(good, randomness: .system) == good)
        }
        for bad in ["", "a b", "a\"b", "é", "a\u{1b}[31m", String(repeating: "x", count: 65)] {
            let made = RequestIdentifier.accepting(bad, randomness: .system)
            #expect(made != bad && made.count == 32)
        }
        #expect(RequestIdentifier.accepting(nil, randomness: .system).count == 32)
    }

    @Test(
        "What calls itself JSON in UTF-8 is read, whatever it calls UTF-8",
        arguments: [
            ("application/json", true), ("application/json;charset=utf8", true), ("application/json; charset=UTF-8", true),
            ("Application/JSON ; charset=\"utf-8\"", true), ("application/json; v=1", true), ("application/json;charset=gbk", false),
            ("text/json", false), ("application/x-www-form-urlencoded", false), ("", false),
        ])
    func contentType(type: String, isJSON: Bool) {
        #expect(JSONBody.isJSON(type) == isJSON)
    }

    @Test("Members have the type that was asked for, or the code that says what is wrong")
    func members() throws {
        let body = try JSONBody(
            text: Array(#"{"s":"v","blank":" ","n":1,"f":1.5,"b":true,"z":null,"a":[{"x":1}],"u":"\u4e2d\ud83d\ude00","extra":{}}"#.utf8))
        #expect(try body.string("s") == "v")
        #expect(try body.string("u") == "中😀")
        #expect(try body.optionalBool("b") == true)
        #expect(try body.optionalInteger("n") == 1)
        #expect(try body.optionalText("a", limit: 64) == #"[{"x":1}]"#)
        #expect(try body.optionalString("z") == nil)
        #expect(throws: ServiceError(.missingParameter, "blank")) { try body.string("blank") }
        #expect(throws: ServiceError(.missingParameter, "none")) { try body.string("none") }
        #expect(throws: ServiceError(.missingParameter, "z")) { try body.string("z") }
        for wrong in ["n", "f", "b", "a"] { #expect(throws: ServiceError(.invalidType, wrong)) { try body.string(wrong) } }
        #expect(throws: ServiceError(.invalidType, "s")) { try body.optionalBool("s") }
        #expect(throws: ServiceError(.invalidFormat, "s")) { try body.string("s", limit: 0) }
    }

    @Test(
        "A body that is no JSON object, or one of two minds, is refused",
        arguments: [
            "", "{", "[]", "1", "\"x\"", "{}x", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":1}}", "{'a':1}", "{\"a\":\"\u{1}\"}",
            "{\"a\":\"\\ud800\"}", "{\"a\":NaN}", "\u{feff}{}",
        ])
    func malformed(text: String) {
        #expect(throws: ServiceError(.invalidFormat, "body")) { try JSONBody(text: Array(text.utf8)) }
    }

    @Test("Sixteen levels are read and seventeen are not")
    func depth() throws {
        let nested = { (levels: Int) in
            Array(("{\"a\":" + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}").utf8)
        }
        _ = try JSONBody(text: nested(16))
        #expect(throws: ServiceError(.invalidFormat, "body")) { try JSONBody(text: nested(17)) }
        #expect(throws: ServiceError(.invalidFormat, "body")) { try JSONBody(text: Array(String(repeating: "[", count: 60_000).utf8)) }
    }

    @Test("Ill-formed UTF-8 is refused")
    func encoding() {
        #expect(throws: ServiceError(.invalidFormat, "body")) {
            try JSONBody(text: Array("{\"a\":\"".utf8) + [0xc3, 0x28] + Array("\"}".utf8))
        }
    }
}
#endif
