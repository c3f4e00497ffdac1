import HTTPTypes
import IDaaSServer
import IDaaSWire
import Secrets
import Testing

struct RequestReadingTests {
    @Test(
        arguments: [
            (nil, nil, Language.english), ("en", nil, .english), ("zh", "en", .chinese), ("EN-us", "zh", .english), (" en ", nil, .english),
            ("fr", "zh", .chinese), ("fr", nil, .english), (nil, "en-GB,en;q=0.9", .english), (nil, "fr, zh;q=0.3, en;q=0.7", .english),
            (nil, "en;q=0.2, zh-CN;q=0.8", .chinese), (nil, "zh;q=0", .english), (nil, "*", .english), (nil, ",;,q=;", .english),
        ] as [(String?, String?, Language)])
    func theLanguageIsXLsElseTheOneAcceptLanguageLikesBestElseEnglish(replyLanguage: String?, acceptLanguage: String?, expected: Language) {
        #expect(Language(replyLanguage: replyLanguage, acceptLanguage: acceptLanguage) == expected)
    }

    @Test(arguments: ["0af7651916cd43dd8448eb211c80319c", "0AF76519-16cd-43dd-8448-eb211c80319c"])
    func aRequestKeepsAnIdentifierOfItsForm(identifier: String) {
        #expect(RequestIdentifier.accepting(identifier, randomness: .system) == identifier)
    }

    @Test(arguments: [
        nil, "", "a b", "é", "a\u{1b}[31m", "r-7", "13812340000", "+86-13812340000", "86-13812340000", "138-1234-0000",
        "0af7651916cd43dd8448eb211c80319", "0af7651916cd43dd8448eb211c80319g", "-0af7651916cd43dd8448eb211c80319",
        "0af76519-16cd-43dd-8448-eb211c80319", "yc2Jk9Qe7fTnV0aXb3LhR8sGmDwPzUo1iEtK5xN4", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        String(repeating: "a", count: 64),
    ])
    func anyOtherTextIsReplaced(text: String?) {
        let made = RequestIdentifier.accepting(text, randomness: .system)
        #expect(made != text && made.count == 32 && RequestIdentifier.isValid(made))
    }

    @Test(
        arguments: [
            ("application/json", true), ("application/json;charset=utf8", true), ("application/json; charset=UTF-8", true),
            ("Application/JSON ; charset=\"utf-8\"", true), ("application/json; v=1", true), ("application/json;charset=gbk", false),
            ("text/json", false), ("application/x-www-form-urlencoded", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func whatCallsItselfJSONInUTF8IsReadWhateverItCallsUTF8(type: String?, isJSON: Bool) {
        #expect(JSONBody.isJSON(type) == isJSON)
    }

    @Test
    func aMemberOfTheWrongTypeIsRefusedWithItsCode() throws {
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

    @Test(arguments: [
        "", "{", "[]", "1", "\"x\"", "{}x", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":1}}", "{'a':1}", "{\"a\":\"\u{1}\"}",
        "{\"a\":\"\\ud800\"}", "{\"a\":NaN}", "\u{feff}{}",
    ])
    func aBodyThatIsNoJSONObjectOrOneOfTwoMindsIsRefused(text: String) {
        #expect(throws: ServiceError(.invalidFormat, "body")) { try JSONBody(text: Array(text.utf8)) }
    }

    private static let controls = ["\u{0}", "a\u{0}", "a\u{0}b", "\u{1}", "a\n", "a\tb", "a\u{1f}", "\u{7f}", "a\u{80}", "a\u{9f}"]

    /// The store ends a text at U+0000, and limits do not.
    @Test(arguments: controls)
    func aControlCharacterIsInNoStringOfARequest(text: String) throws {
        let escaped = text.unicodeScalars.map { "\\u" + String($0.value + 0x10000, radix: 16).dropFirst() }.joined()
        let body = try JSONBody(text: Array("{\"a\":\"\(escaped)\"}".utf8))
        #expect(throws: ServiceError(.invalidFormat, "a")) { try body.string("a") }
        let member = text.utf8.map { "%" + String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        for text in ["a=\(member)", "\(member)=1"] {
            #expect(throws: ServiceError(.invalidFormat, "body")) { try FormBody(text: Array(text.utf8)) }
            #expect(throws: ServiceError(.invalidFormat, "query")) { try Self.exchange(query: text) }
        }
        #expect(throws: ServiceError(.invalidFormat, "path")) { try Self.exchange(parameters: ["id": text]) }
    }

    /// RFC 6749 section 3.1.
    @Test(arguments: ["a=1&a=1", "a=1&b=2&a=2", "a&a", "a=1&%61=2", "a=%ff", "a=%"])
    func aParameterStandsOnceAndIsReadable(text: String) {
        #expect(throws: ServiceError(.invalidFormat, "body")) { try FormBody(text: Array(text.utf8)) }
        #expect(throws: ServiceError(.invalidFormat, "query")) { try Self.exchange(query: text) }
    }

    /// A combining mark behind a separator leaves it a separator. By Swift's characters, `&` and U+0301 are one, and the name stood once.
    @Test
    func aCombiningMarkHidesNoSeparator() throws {
        #expect(throws: ServiceError(.invalidFormat, "body")) { try FormBody(text: Array("a=1&\u{301}=2&\u{301}=3".utf8)) }
        let form = try FormBody(text: Array("a=1&\u{301}b=2&c=\u{301}d&e=f+\u{301}g".utf8))
        #expect(form["a"] == "1" && form["\u{301}b"] == "2" && form["c"] == "\u{301}d" && form["e"] == "f \u{301}g")
    }

    private static func exchange(query: String = "", parameters: [String: String] = [:]) throws -> Exchange {
        try Exchange(
            fields: [:], host: nil, query: query, parameters: parameters, body: [],
            origin: RequestOrigin(address: "192.0.2.1", requestID: "0af7651916cd43dd8448eb211c80319c"))
    }

    /// U+212A KELVIN SIGN is not the letter of a name, though Swift's strings are equal.
    @Test(arguments: [#"{"K":"ours","\u212a":"other"}"#, #"{"\u212a":"other","K":"ours"}"#])
    func aNameHasOneForm(text: String) throws {
        #expect(try JSONBody(text: Array(text.utf8)).string("K") == "ours")
        #expect(try JSONBody(text: Array(#"{"\u212a":"other"}"#.utf8)).optionalString("K") == nil)
    }

    @Test
    func illFormedUTF8IsRefused() {
        #expect(throws: ServiceError(.invalidFormat, "body")) {
            try JSONBody(text: Array("{\"a\":\"".utf8) + [0xc3, 0x28] + Array("\"}".utf8))
        }
    }
}
