import JWTCore
import JWTTestSupport
import Testing

/// The subject and the scopes that a policy requires, and the scopes that a token grants.
struct SubjectAndScopeTests {
    private static let forge = Forges.ed25519

    private static func verdict(_ payload: String, _ require: (inout ClaimsPolicy) -> Void) -> String {
        var policy = ClaimsPolicy.lenient
        require(&policy)
        return forge.verifier(policy).verdict(forge.token(payload))
    }

    @Test(arguments: [
        (#"{"sub":"alice"}"#, "valid"), (#"{"sub":"\u0061lice"}"#, "valid"), (#"{"sub":"Alice"}"#, "subject_mismatch"),
        (#"{"sub":""}"#, "subject_mismatch"), (#"{"sub":"alice "}"#, "subject_mismatch"), ("{}", "missing_claim"),
        (#"{"sub":7}"#, "invalid_claim"),
    ])
    func theSubjectIsComparedByteForByte(payload: String, expected: String) {
        #expect(Self.verdict(payload) { $0.subject = "alice" } == expected)
        #expect(Self.verdict(payload) { _ in } == (expected == "invalid_claim" ? "invalid_claim" : "valid"))
    }

    /// A payload, and whether it grants `read` and `write`.
    static let granted: [(String, Bool, Bool)] = [
        (#"{"scope":"read"}"#, true, false), (#"{"scope":"read write"}"#, true, true), (#"{"scope":"write read"}"#, true, true),
        (#"{"scope":"  read  "}"#, true, false), (#"{"scope":"r\u0065ad\u0020write"}"#, true, true), (#"{"scope":""}"#, false, false),
        (#"{"scope":"reader"}"#, false, false), (#"{"scope":"rea d"}"#, false, false), (#"{"scope":"READ"}"#, false, false),
        (#"{"scope":"read,write"}"#, false, false), (#"{"scope":"read\twrite"}"#, false, false), ("{}", false, false),
        (#"{"scp":["read","write"]}"#, true, true), (#"{"scp":["read write"]}"#, false, false), (#"{"scp":"read write"}"#, true, true),
        (#"{"scope":["read"]}"#, true, false), (#"{"scope":"read","scp":["write"]}"#, true, true),
        (#"{"scp":[7,null,"read"]}"#, true, false),
        (#"{"scope":7}"#, false, false), (#"{"scope":{"read":true}}"#, false, false), (#"{"scp":[["read"]]}"#, false, false),
        (#"{"SCOPE":"read"}"#, false, false), (#"{"a":{"scope":"read"}}"#, false, false),
    ]

    @Test(arguments: granted)
    func scopesAreWordsOfScopeAndScp(payload: String, read: Bool, write: Bool) throws {
        let token = try Self.forge.verifier().verify(Self.forge.token(payload), now: TokenForge.now)
        #expect(token.hasScope("read") == read)
        #expect(token.hasScope("write") == write)
        #expect(token.scopes.contains("read") == read)
        #expect(token.scopes.contains("write") == write)
        for none in ["", " ", "read write", " read"] { #expect(!token.hasScope(none)) }
    }

    @Test(arguments: granted)
    func aPolicyRequiresAllItsScopes(payload: String, read: Bool, write: Bool) {
        #expect(Self.verdict(payload) { $0.scopes = ["read"] } == (read ? "valid" : "insufficient_scope"))
        #expect(Self.verdict(payload) { $0.scopes = ["write", "read"] } == (read && write ? "valid" : "insufficient_scope"))
        #expect(Self.verdict(payload) { $0.scopes = ["read", ""] } == "insufficient_scope")
    }

    @Test
    func scopesAreListedInTheirOrderAndOnce() throws {
        let payload = #"{"scope":"b a b","scp":["c","a",""]}"#
        let token = try Self.forge.verifier().verify(Self.forge.token(payload), now: TokenForge.now)
        #expect(token.scopes == ["b", "a", "c"])
    }

    @Test
    func anAccessTokenWithoutTheScopeIs403() {
        let policy = ClaimsPolicy.accessToken(issuer: "i", audience: "a", scopes: ["orders:read"])
        let payload = #"{"iss":"i","aud":"a","sub":"s","client_id":"c","exp":1700003600,"iat":1700000000,"jti":"1","scope":"SCOPE"}"#
        let forge = Self.forge, verifier = forge.verifier(policy)
        #expect(verifier.verdict(forge.token(payload.replacing("SCOPE", with: "orders:read"), type: "at+jwt")) == "valid")
        do throws(VerificationError) {
            _ = try verifier.verify(forge.token(payload.replacing("SCOPE", with: "orders"), type: "at+jwt"), now: TokenForge.now)
            Issue.record("a token without the scope is valid")
        } catch {
            #expect(error.code.httpStatus == 403)
            let challenge = BearerChallenge(refusing: error, scope: "orders:read")
            #expect(challenge?.fieldValue.contains(#"error="insufficient_scope""#) == true)
        }
    }

    @Test
    func aVerifiedTokenAnswersForItsRegisteredClaims() throws {
        let payload = #"{"aud":["a","b"],"jti":"id-1","client_id":"c","iat":1700000000,"nbf":1600000000,"exp":1700003600,"auth_time":5}"#
        let token = try Self.forge.verifier().verify(Self.forge.token(payload), now: TokenForge.now)
        #expect(token.audience == ["a", "b"])
        #expect(token.tokenID == "id-1")
        #expect(token.clientID == "c")
        #expect(
            [token.issuedAt, token.notBefore, token.expiration, token.authenticationTime].map { $0?.seconds } == [
                1_700_000_000, 1_600_000_000, 1_700_003_600, 5,
            ])
        let other = try Self.forge.verifier().verify(Self.forge.token(#"{"aud":"one"}"#), now: TokenForge.now)
        #expect(other.audience == ["one"])
        let bare = try Self.forge.verifier().verify(Self.forge.token("{}"), now: TokenForge.now)
        #expect(bare.audience.isEmpty && bare.tokenID == nil && bare.clientID == nil && bare.issuedAt == nil && bare.scopes.isEmpty)
    }
}
