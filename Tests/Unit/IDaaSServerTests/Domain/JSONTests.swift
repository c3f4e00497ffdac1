import Foundation
import HTTPEdge
import IDaaSServer
import JWTCore
import Testing

struct JSONTests {
    @Test
    func membersKeepTheirOrderAndNumbersTheirForm() {
        let value: JSON = [
            "b": 1, "a": JSON(237.0), "text": "\"\\\n\u{7}é/", "key": .verbatim(#"{"kty":"EC"}"#), "none": nil, "list": [true, [:], []],
        ]
        #expect(
            value.text == #"{"b":1,"a":237.0,"text":"\"\\\n\u0007é/","key":{"kty":"EC"},"none":null,"list":[true,{},[]]}"#
                && value.bytes == Array(value.text.utf8))
        #expect((["a": [1, 2]] as JSON).indentedText == "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n")
    }

    private struct Record: Codable, Hashable {
        struct Part: Codable, Hashable {
            var secret: [UInt8] = []
            var absent: String?
        }

        var zone = "z"
        var count = -5
        var most = UInt64.max
        var isGood = true
        var parts = [Part(secret: [0, 255]), Part()]
        var names = ["k": "é"]
        var absent: Int?
        var nested: [[Int]] = [[], [1]]
        var span = Duration.seconds(90)
    }

    private static let record =
        #"{"count":-5,"isGood":true,"most":18446744073709551615,"names":{"k":"é"},"nested":[[],[1]],"#
        + #""parts":[{"secret":[0,255]},{"secret":[]}],"span":90,"zone":"z"}"#

    @Test
    func aRecordHasItsMembersSortedAndReadsBack() throws {
        let record = Record()
        #expect(try JSON(encoding: record).text == Self.record)
        #expect(try ParsedJSON(Array(Self.record.utf8)).decode(Record.self) == record)
        #expect(try JSONDecoder().decode(Record.self, from: Data(Self.record.utf8)) == record)
    }

    /// Stores hold records that Foundation's encoder wrote.
    @Test
    func settingsOfAnOlderServerReadBack() throws {
        let stored =
            #"{"secondFactor":{"demand":"always","authenticator":"","matchesNumbers":true,"allowsPasscode":false,"#
            + #""requiresStatements":false},"web":{"redirectURIs":["https:\/\/a.example\/b"],"logoutRedirectURIs":[],"#
            + #""secretDigest":[0,128,255]},"password":true,"wechat":{"allowsSeveralAccounts":false,"appID":"wx1","sealedSecret":[7],"#
            + #""platform":"","registersNewUsers":false},"version":1}"#
        let settings = try ParsedJSON(Array(stored.utf8)).decode(ClientSettings.self)
        #expect(settings.web?.redirectURIs == ["https://a.example/b"] && settings.web?.secretDigest == [0, 128, 255])
        #expect(settings.secondFactor.demand == .always && settings.wechat?.sealedSecret == [7] && settings.sms)
        let foundations = try Array(JSONEncoder().encode(settings)), ours = try JSON(encoding: settings).bytes
        for text in [foundations, ours] {
            let read = try ParsedJSON(text).decode(ClientSettings.self)
            #expect(read == settings)
        }
    }

    @Test(arguments: [
        "", "{", "{}x", "nul", #"{"a":1,"a":2}"#, #"[{"b":{"c":1,"c":1}}]"#, "[1,]", "[01]", "\"\u{1}\"", #""\ud800""#, "\u{feff}{}",
        String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    ])
    func whatIsNotStrictJSONOrTooDeepIsRefused(_ text: String) {
        #expect(throws: VerificationError.self) { _ = try ParsedJSON(Array(text.utf8)) }
    }

    @Test(arguments: [
        "1", "null", "[1,1,1]", #"{"a":{}}"#, #"{"a":1,"b":[{"c":null}]}"#,
        String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    ])
    func aTextOfAnyShapeWithinTheLimitsIsRead(_ text: String) {
        #expect(throws: Never.self) { _ = try ParsedJSON(Array(text.utf8)) }
    }

    @Test
    func aLongTextIsReadWhole() throws {
        let long = "[" + Array(repeating: "{\"x\":1.5,\"y\":0,\"t\":7}", count: 20_000).joined(separator: ",") + "]"
        let parsed = try ParsedJSON(Array(long.utf8))
        #expect(parsed.root.count == 20_000)
    }
}
