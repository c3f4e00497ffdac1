import JWTCore
import Testing

/// The search for `iss` before the signature finds what the reader of the verified payload finds.
struct IssuerSearchTests {
    @Test(arguments: [
        (#"{"iss":"a"}"#, "a"), (#" { "x" : 1 , "iss" : "https://idp.example" } "#, "https://idp.example"), (#"{"iss":""}"#, ""),
        (#"{"x":{"iss":"b"},"iss":"a"}"#, "a"), (#"{"x":["iss",{"iss":"b"}],"y":"\"iss\":\"c\"","iss":"a"}"#, "a"),
        (#"{"x":"}","y":"{\\","iss":"a"}"#, "a"), (#"{"x":"iss","iss":"a"}"#, "a"),
        (#"{"iss":"https:\/\/idp\u002eexample"}"#, "https://idp.example"),
        (#"{"iss":"\"}"}"#, "\"}"), (#"{"iss":"a","iss":"b"}"#, "a"), (#"{"iss":"é"}"#, "é"),
    ])
    func theIssuerIsFound(text: String, expected: String) {
        #expect(text.utf8.span.unverifiedIssuer?.string == expected)
    }

    @Test(arguments: [
        "", "{}", "[]", #""iss""#, #"{"iss":1}"#, #"{"iss":null,"iss":"a"}"#, #"{"iss":["a"]}"#, #"{"\u0069ss":"a"}"#, #"{"ISS":"a"}"#,
        #"{"x":{"iss":"a"}}"#, #"{"x":["iss"]}"#, #"{"x":"iss"}"#, #"{"iss":"a"#, #"{"iss":"a\"#, #"{"iss""#, #""iss":"a""#,
        "{\"iss\":\"a\n\"}",
    ])
    func noIssuerIsFound(text: String) {
        #expect(text.utf8.span.unverifiedIssuer?.string == nil)
    }

    @Test(arguments: [("{\"iss\":\"a\"}", true), ("{\"iss\":\"b\"}", false), ("{}", false)])
    func aTokenNamesTheIssuerOfItsPayload(payload: String, isNamed: Bool) throws {
        let token = "e30.\(base64url(payload.utf8)).e30"
        #expect(try CompactToken(parsing: token.utf8.span).names(issuer: "a") == isNamed)
    }

    @Test(arguments: ["", "!", "eyJpc3MiOiJhIn", "eyJpc3MiOiJhIn1="])
    func aPayloadThatIsNotBase64URLNamesNone(payload: String) throws {
        #expect(try !CompactToken(parsing: "e30.\(payload).e30".utf8.span).names(issuer: "a"))
    }

    /// A name with an escape is read more slowly, so only a short payload may have one.
    @Test(arguments: [(128, "a"), (129, "missing_claim")])
    func anEscapedNameIsReadInAShortPayload(bytes: Int, expected: String) throws {
        let frame = #"{"\u0069ss":"a","x":""}"#
        let payload = frame.dropLast(2) + String(repeating: "x", count: bytes - frame.utf8.count) + "\"}"
        let token = "\(base64url(#"{"alg":"ES256"}"#.utf8)).\(base64url(payload.utf8)).e30"
        var found = ""
        let said = verdict {
            try CompactToken(parsing: token.utf8.span).withUnverifiedIssuer(.standard) { issuer throws(VerificationError) in
                found = issuer.string
            }
        }
        #expect([found, said].contains(expected))
    }

    /// Wherever the member is among the blocks that the search reads at once.
    @Test func anIssuerIsFoundAtEveryPlace() {
        for filling in 0...200 {
            for letter in ["a", "{", #"\""#, #"\\"#] {
                let text = "{\"x\":\"\(String(repeating: letter, count: filling))\",\"iss\":\"https://idp.example\"}"
                #expect(text.utf8.span.unverifiedIssuer?.string == "https://idp.example")
            }
        }
    }
}
