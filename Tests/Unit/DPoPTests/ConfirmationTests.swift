import JWTCore
import JWTTestSupport
import Testing

/// What `cnf` says: nothing, a thumbprint of a key or of a certificate, another method, or an error.
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
                case .certificateThumbprint(let thumbprint): return "certificate \(thumbprint)"
                case .keyAndCertificate(let key, let certificate): return "\(key) and certificate \(certificate)"
                }
            } catch {
                return error.code.name
            }
        }
    }

    @Test(arguments: [
        ("{}", "absent"), (#"{"CNF":{}}"#, "absent"), (#"{"jkt":"x"}"#, "absent"), (#"{"cnf":{"kid":"a"}}"#, "other"),
        (#"{"cnf":{"x5t#S256":"\#(thumbprint)"}}"#, "certificate \(thumbprint)"),
        (#"{"cnf":{"x5t\u0023S256":"\#(thumbprint)"}}"#, "certificate \(thumbprint)"),
        (#"{"cnf":{"x5t#s256":"\#(thumbprint)"}}"#, "other"), (#"{"cnf":{"x5t":"\#(thumbprint)"}}"#, "other"),
        (#"{"cnf":{"x5t#S256":"\#(thumbprint)","jwk":{}}}"#, "other"), (#"{"cnf":{"jkt":"\#(thumbprint)","kid":"a"}}"#, "other"),
        (#"{"cnf":{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}"#, thumbprint),
        (#"{"c\u006ef":{"x5t#S256":"\#(thumbprint)","j\u006bt":"\#(thumbprint)"}}"#, "\(thumbprint) and certificate \(thumbprint)"),
    ])
    func aConfirmationIsAbsentThumbprintsOrAnotherMethod(payload: String, expected: String) throws {
        #expect(try Self.confirmation(payload) == expected)
    }

    @Test(arguments: [
        "null", "7", #""a""#, "[]", "{}", #"{"jkt":null}"#, #"{"jkt":7}"#, #"{"jkt":""}"#, #"{"jkt":"AAAA"}"#, #"{"jkt":["a"]}"#,
        #"{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4J"}"#, #"{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I="}"#,
        #"{"jkt":"0ZcOCORZNYy+DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}"#, #"{"x5t#S256":null}"#, #"{"x5t#S256":""}"#,
        #"{"x5t#S256":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I="}"#, #"{"jkt":"\#(thumbprint)","x5t#S256":"a"}"#,
        #"{"x5t#S256":"\#(thumbprint)","jkt":"a"}"#,
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
