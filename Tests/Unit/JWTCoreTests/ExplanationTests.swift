import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// The sentences of refusals: what they tell, and what they keep.
struct ExplanationTests {
    private static let forge = Forges.ed25519

    private static func refused(_ verifier: TokenVerifier<KeySet>, _ token: String) -> VerificationError? {
        do throws(VerificationError) { _ = try verifier.verify(token, now: TokenForge.now) } catch { return error }
        return nil
    }

    private static func lenient(_ rule: (inout ClaimsPolicy) -> Void) -> ClaimsPolicy {
        var policy = ClaimsPolicy.lenient
        rule(&policy)
        return policy
    }

    private static func explained(_ payload: String, _ policy: ClaimsPolicy) throws -> String {
        let verifier = forge.verifier(policy), token = forge.token(payload)
        let error = try #require(refused(verifier, token))
        #expect(verifier.explanation(of: error, token: Array(token.utf8), now: TokenForge.now).hasPrefix("\(error.code.name): "))
        return verifier.explanation(of: error, token: token, now: TokenForge.now)
    }

    @Test(
        arguments: [
            (#"{"exp":1700000000}"#, lenient { $0.leeway = .seconds(30) }, "it expired 100 s ago; the leeway is 30 s"),
            (#"{"nbf":1700000200}"#, lenient { _ in }, "it is valid in 100 s; the leeway is 60 s"),
            (#"{"iat":1700000200}"#, lenient { _ in }, "it was issued 100 s in the future; the leeway is 60 s"),
            (#"{"iat":1699990100}"#, lenient { $0.maximumAge = .seconds(60) }, "it was issued 10000 s ago; the leeway is 60 s"),
            (#"{"iss":"https://other.example"}"#, lenient { $0.issuers = ["https://idp.example"] }, #"it is from "https://other.example""#),
            (
                #"{"iss":"https://other.example"}"#, lenient { $0.issuers = ["https://idp.example"] },
                #"the policy expects "https://idp.example""#
            ),
            (#"{"iss":"a\nb\u0007"}"#, lenient { $0.issuers = ["i"] }, #"it is from "a\nb\u{"#),
            (#"{"aud":["x","y"]}"#, lenient { $0.audiences = ["a", "b"] }, #"the policy expects "a" or "b"; it is for "x" and "y""#),
            ("{}", lenient { $0.requiredClaims = ["sub", "tenant"] }, "[sub]"),
            (#"{"sub":"s"}"#, lenient { $0.requiredClaims = ["sub", "tenant", "region"] }, #"the policy requires the claim "tenant""#),
            (
                #"{"sub":"s","tenant":1}"#, lenient { $0.requiredClaims = ["tenant", "sub", "region"] },
                #"the policy requires the claim "region""#
            ),
            (#"{"scope":"a"}"#, lenient { $0.scopes = ["a", "b"] }, #"the policy requires "a" and "b""#),
        ] as [(String, ClaimsPolicy, String)])
    func aRefusalIsExplained(payload: String, policy: ClaimsPolicy, sentence: String) throws {
        let explanation = try Self.explained(payload, policy)
        #expect(explanation.contains(sentence), "\(explanation)")
    }

    @Test(
        arguments: [
            (#"{"exp":"1700003600"}"#, "exp is a string; RFC 7519 wants a number"),
            (#"{"exp":null}"#, "exp is null; RFC 7519 wants a number"),
            (#"{"nbf":{}}"#, "nbf is an object; RFC 7519 wants a number"), (#"{"iat":[1]}"#, "iat is an array; RFC 7519 wants a number"),
            (#"{"auth_time":true}"#, "auth_time is a boolean; RFC 7519 wants a number"),
            (#"{"exp":1700003600000}"#, "exp is 53,817 years ahead: milliseconds? RFC 7519 wants seconds"),
            (#"{"exp":1700003600000000}"#, "years ahead: microseconds? RFC 7519 wants seconds"),
            (#"{"iat":1700003600000000000}"#, "years ahead: nanoseconds? RFC 7519 wants seconds"),
            (#"{"exp":1e300}"#, "exp is out of range"), (#"{"iat":-1e14}"#, "years ago, which is out of range"),
            (#"{"iss":1}"#, "iss is a number; RFC 7519 wants a string"),
            (#"{"aud":["a",1]}"#, "aud is an array of other values; RFC 7519 wants a string or an array of strings"),
            (#"{"aud":{}}"#, "aud is an object; RFC 7519 wants a string or an array of strings"),
            (#"{"amr":"pwd"}"#, "amr is a string; RFC 7519 wants an array of strings"),
        ])
    func aValueOfAnotherTypeIsNamed(payload: String, sentence: String) throws {
        let explanation = try Self.explained(payload, .lenient)
        #expect(explanation.hasPrefix("invalid_claim: ") && explanation.contains(sentence), "\(explanation)")
    }

    /// The values of a token without a valid signature are an attacker's words.
    @Test
    func aForgedTokenTellsNothingOfItsTypes() {
        let forged = TokenForge(.edDSA).token(#"{"exp":"soon"}"#), error = VerificationError(.invalidClaim, claim: .expiration)
        #expect(Self.forge.verifier().explanation(of: error, token: forged, now: TokenForge.now) == error.description)
    }

    @Test(
        arguments: [
            (#"{"iss":"https://idp.example/"}"#, "https://idp.example", true),
            (#"{"iss":"https://idp.example"}"#, "https://idp.example/", true),
            (#"{"iss":"https://idp.example//"}"#, "https://idp.example", false), (#"{"iss":"https://idp.example"}"#, "https://idp", false),
        ])
    func aSlashAtTheEndOfTheIssuerIsNamed(payload: String, issuer: String, isNear: Bool) throws {
        let explanation = try Self.explained(payload, Self.lenient { $0.issuers = [issuer] })
        #expect(explanation.contains("which differs only by the slash at its end") == isNear, "\(explanation)")
    }

    @Test
    func anAudienceThatStandsInAzpIsNamed() throws {
        let policy = Self.lenient { $0.audiences = ["client-1"] }
        let explanation = try Self.explained(#"{"aud":"account","azp":"client-1"}"#, policy)
        #expect(explanation.hasSuffix(#"it is for "account"; its azp names "client-1", which is not its audience"#), "\(explanation)")
        #expect(try !Self.explained(#"{"aud":"account","azp":"client-2"}"#, policy).contains("azp"))
    }

    @Test(arguments: [
        ("Bearer %", "begins with `Bearer`"), ("bearer %", "begins with `Bearer`"), ("BEARER: %", "begins with `Bearer`"),
        ("\"%\"", "stands in quotes"), ("'%'", "stands in quotes"),
    ])
    func whatStandsAroundATokenIsNamed(form: String, sentence: String) throws {
        let token = form.replacing("%", with: Self.forge.token()), verifier = Self.forge.verifier()
        let error = try #require(Self.refused(verifier, token))
        #expect(verifier.explanation(of: error, token: token).contains(sentence))
        #expect(!verifier.explanation(of: error, token: "a.b.c").contains(sentence))
    }

    @Test
    func aTokenBrokenOverLinesIsNamed() throws {
        let token = Self.forge.token().replacing(".", with: ".\n"), verifier = Self.forge.verifier()
        let error = try #require(Self.refused(verifier, token))
        #expect(verifier.explanation(of: error, token: token).hasSuffix("the text is broken over lines: a token is one line"))
    }

    @Test
    func aLongIssuerIsCut() throws {
        let explanation = try Self.explained(
            "{\"iss\":\"\(String(repeating: "x", count: 5_000))\"}", ClaimsPolicy(issuer: "i", audience: "a"))
        #expect(explanation.count < 400)
    }

    /// A nonce, a subject and a hash of one login stay out, whether required or received.
    @Test(
        arguments: [
            lenient { $0.nonce = "wanted-secret" }, lenient { $0.subject = "wanted-secret" }, lenient { $0.accessToken = "wanted-secret" },
            lenient { $0.code = "wanted-secret" }, lenient { $0.revokedTokenIDs = ["token-secret"] },
        ])
    func valuesOfALoginAreNotTold(policy: ClaimsPolicy) throws {
        let payload = #"{"nonce":"got-secret","sub":"got-secret","at_hash":"got-secret","c_hash":"got-secret","jti":"token-secret"}"#
        #expect(try !Self.explained(payload, policy).contains("secret"))
    }

    /// Without a valid signature the claims are an attacker's words.
    @Test
    func aForgedTokenTellsNothing() {
        var policy = ClaimsPolicy.lenient
        policy.issuers = ["https://idp.example"]
        let verifier = Self.forge.verifier(policy), forged = TokenForge(.edDSA).token(#"{"iss":"attacker's words"}"#)
        for error in [VerificationError(.issuerMismatch, claim: .issuer), VerificationError(.signatureInvalid)] {
            #expect(!verifier.explanation(of: error, token: forged, now: TokenForge.now).contains("attacker"))
        }
    }

    @Test(arguments: [(1, ""), (8, ""), (9, " or 1 more"), (20, " or 12 more")])
    func atMostEightNamesAreListed(count: Int, end: String) throws {
        let names = (0..<count).map { "issuer-\($0)" }
        let told = Self.lenient { $0.issuers = names }.explanation(of: VerificationError(.issuerMismatch))
        let listed = names.prefix(8).map { "\"\($0)\"" }.joined(separator: " or ")
        #expect(told.hasSuffix("the policy expects \(listed)\(end)"))
    }

    /// The difference of two dates may be as long as the type has numbers.
    @Test(arguments: [("1700003600", .min), ("1700003600.5", .min), ("1700003601", .min), ("1700003599", .min + 1)] as [(String, Int64)])
    func theLongestTimeIsTold(expiration: String, seconds: Int64) {
        let token = Self.forge.token(#"{"exp":\#(expiration)}"#), now = NumericDate(seconds: .min + 1_700_003_600)
        let told = Self.forge.verifier().explanation(of: VerificationError(.expired), token: token, now: now)
        #expect(told.hasSuffix("it expired \(seconds) s ago; the leeway is 60 s"))
    }

    @Test
    func anHMACKeyWantsItsAlgorithmsNamed() throws {
        let forge = Forges.hs256, verifier = forge.verifier(ClaimsPolicy(issuer: "https://idp.example", audience: "client-1"))
        let error = try #require(Self.refused(verifier, forge.token()))
        #expect(error.description == "algorithm_not_allowed: HMAC is refused unless ClaimsPolicy.algorithms names it")
        #expect(verifier.explanation(of: error, token: forge.token()).contains("the policy allows RS256"))
        let asymmetric = Self.forge.verifier(Self.lenient { $0.algorithms = [.rs256] })
        let other = try #require(Self.refused(asymmetric, Self.forge.token()))
        #expect(other.code == .algorithmNotAllowed)
        #expect(other.reason == nil)
    }

    @Test(arguments: ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"])
    func aPrivateKeyIsCalledOne(label: String) {
        let document = "# mine\r\n" + PublicKeyDocument.pem(label, [1, 2, 3]).replacing("\n", with: "\r\n")
        let sentence = "invalid_key: the document has a private key; a verifier takes its public key"
        #expect(Self.refusal { _ = try VerificationKey(pem: document) } == sentence)
        #expect(Self.refusal { _ = try KeySet(document: document) }.contains("private key"))
    }

    @Test
    func aDocumentThatIsNoKeyIsCalledOne() {
        #expect(Self.refusal { _ = try VerificationKey(pem: "<html>") }.hasSuffix("neither a public key nor a certificate, in PEM or DER"))
        #expect(Self.refusal { _ = try KeySet(jwks: "{}") } == "invalid_key: the document is not a JWK Set: it has no array `keys`")
        #expect(Self.refusal { _ = try KeySet(jwk: "{}") } == "invalid_key: the document is not a JWK: it has no `kty`")
    }

    private static func refusal(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return "accepted"
    }

    // Checks of the program's own

    @Test
    func aCheckGivesItsCodeAndItsWords() throws {
        var policy = ClaimsPolicy.lenient
        policy.checks = [
            { claims, _ in claims.string("tenant") == "acme" ? .accepted : .refused(.invalidClaim, because: "the tenant is not acme") },
            { claims, _ in claims.string("plan") == "free" ? .refused(.revoked) : .accepted },
        ]
        let verifier = Self.forge.verifier(policy)
        let other = try #require(Self.refused(verifier, Self.forge.token(#"{"tenant":"secret"}"#)))
        #expect(other.code == .invalidClaim)
        #expect(other.reason == "the tenant is not acme")
        #expect(other.description == "invalid_claim: the tenant is not acme")
        #expect(other == VerificationError(.invalidClaim))
        let free = try #require(Self.refused(verifier, Self.forge.token(#"{"tenant":"acme","plan":"free"}"#)))
        #expect(free.reason == nil)
        #expect(free.description == "revoked: the token has been revoked")
        #expect(Self.refused(verifier, Self.forge.token(#"{"tenant":"acme"}"#)) == nil)
    }

    @Test
    func anErrorStaysSmall() {
        #expect(MemoryLayout<VerificationError>.size == 16)
    }
}
