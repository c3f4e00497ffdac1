import JWTCore
import JWTTestSupport
import Testing

/// What `cnf` says: nothing, a thumbprint, another method, or an error.
struct ConfirmationTests {
    private static let forge = TokenForge(.ed25519)
    private static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    private static func confirmation(_ payload: String) throws -> String {
        var policy = ClaimsPolicy()
        policy.requiresExpiration = false
        return try TokenVerifier(keys: forge.keySet, policy: policy).withVerified(forge.token(payload), now: TokenForge.now) {
            claims -> String in
            do throws(VerificationError) {
                switch try claims.confirmation {
                case .absent: return "absent"
                case .otherMethod: return "other"
                case .keyThumbprint(let thumbprint): return thumbprint.description
                }
            } catch {
                return error.code.name
            }
        }
    }

    @Test(arguments: [
        ("{}", "absent"), (#"{"CNF":{}}"#, "absent"), (#"{"jkt":"x"}"#, "absent"), (#"{"cnf":{"x5t#S256":"a"}}"#, "other"),
        (#"{"cnf":{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}"#, thumbprint),
        (#"{"c\u006ef":{"x5t#S256":"a","j\u006bt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}"#, thumbprint),
    ])
    func aConfirmationIsAbsentAThumbprintOrAnotherMethod(payload: String, expected: String) throws {
        #expect(try Self.confirmation(payload) == expected)
    }

    @Test(arguments: [
        "null", "7", #""a""#, "[]", "{}", #"{"jkt":null}"#, #"{"jkt":7}"#, #"{"jkt":""}"#, #"{"jkt":"AAAA"}"#, #"{"jkt":["a"]}"#,
        #"{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4J"}"#, #"{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I="}"#,
        #"{"jkt":"0ZcOCORZNYy+DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}"#,
    ])
    func aMalformedConfirmationIsAnErrorAndNeverAbsent(claim: String) throws {
        #expect(try Self.confirmation(#"{"cnf":\#(claim)}"#) == "invalid_confirmation")
    }

    @Test
    func aThumbprintIsReadAndWrittenInOneForm() throws {
        let thumbprint = try #require(KeyThumbprint(Self.thumbprint))
        #expect(thumbprint.description == Self.thumbprint && KeyThumbprint(thumbprint.bytes) == thumbprint && thumbprint.bytes.count == 32)
        #expect(KeyThumbprint(Array(repeating: 1, count: 31)) == nil && KeyThumbprint(Self.thumbprint + "A") == nil)
    }
}
