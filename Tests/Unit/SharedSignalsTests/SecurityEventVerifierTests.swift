import JWTCore
import JWTTestSupport
import SharedSignals
import Testing

/// Which tokens events are taken from: those of the stream's transmitter for the stream's audience, and no token of another kind.
struct SecurityEventVerifierTests {
    private static let claims = Transmitter.claims()

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA])
    func aTokenOfAnyAlgorithmIsVerified(algorithm: SignatureAlgorithm) {
        let forge = TokenForge(algorithm)
        #expect(Transmitter.verdict(forge.token(Self.claims, type: "secevent+jwt"), keys: forge.keySet) == "valid")
    }

    @Test
    func whatTheTokenSaysIsRead() throws {
        let token = try Transmitter.verified(Transmitter.token(Transmitter.claims(more: #","txn":"t-1""#)))
        #expect(token.issuer == Transmitter.issuer && token.tokenID == "set-1" && token.issuedAt == 1_700_000_000)
        #expect(token.audiences == [Transmitter.audience] && token.transaction == "t-1")
        #expect(token.events == [.sessionRevoked(at: 1_699_999_990)])
        let user = SimpleSubject.issuerSubject(issuer: "https://idp.example", subject: "jane")
        #expect(token.subject == .complex(user: user, session: .opaque("sid-1")))
        #expect("\(token)" == "VerifiedSecurityEventToken(events: 1)")
    }

    @Test(arguments: ["secevent+jwt", "application/secevent+jwt", "SECEVENT+JWT"])
    func theTypeIsThatOfSecurityEvents(type: String) {
        #expect(Transmitter.verdict(Transmitter.token(type: type)) == "valid")
    }

    @Test(arguments: [nil, "JWT", "at+jwt", "logout+jwt", "statuslist+jwt", "secevent"] as [String?])
    func aTokenOfAnotherTypeIsNone(type: String?) {
        #expect(Transmitter.verdict(Transmitter.token(type: type)) == "type_mismatch")
        var lenient = ClaimsPolicy.lenient
        lenient.types = nil
        #expect(Transmitter.verdict(Transmitter.token(type: type), policy: lenient) == "type_mismatch")
    }

    @Test
    func anIDTokenIsNoEvent() {
        let idToken = Transmitter.forge.token(TokenForge.idToken)
        #expect(Transmitter.verdict(idToken) == "type_mismatch")
        let dressed = Transmitter.forge.token(TokenForge.idToken, type: "secevent+jwt")
        #expect(Transmitter.verdict(dressed) == "audience_mismatch")
        let ours = TokenForge.idToken.replacing("client-1", with: Transmitter.audience).dropLast() + #","jti":"1"}"#
        #expect(Transmitter.verdict(Transmitter.token(String(ours))) == "unexpected_subject")
    }

    @Test
    func anEventIsNoIDTokenAndNoAccessToken() {
        let token = Transmitter.token(Transmitter.claims(more: #","exp":1700003600,"sub":"jane","client_id":"c""#))
        for policy in [
            ClaimsPolicy.idToken(issuer: Transmitter.issuer, clientID: Transmitter.audience),
            .accessToken(issuer: Transmitter.issuer, audience: Transmitter.audience),
        ] {
            #expect(TokenVerifier(keys: Transmitter.forge.keySet, policy: policy).verdict(token) == "type_mismatch")
        }
        // A policy without a type needs `exp`, which no event has.
        let any = ClaimsPolicy(issuer: Transmitter.issuer, audience: Transmitter.audience)
        #expect(TokenVerifier(keys: Transmitter.forge.keySet, policy: any).verdict(Transmitter.token()) == "missing_claim")
    }

    @Test
    func onlyTheTransmittersKeysVerifyAToken() {
        let own = TokenForge(.rs256), other = TokenForge(.rs256)
        let forged = other.token(Self.claims, type: "secevent+jwt")
        #expect(Transmitter.verdict(forged, keys: own.keySet) == "signature_invalid")
        #expect(Transmitter.verdict(forged, keys: TokenForge(.rs256, keyID: "another").keySet) == "unknown_key")
        let unsecured = other.token(header: #"{"alg":"none","typ":"secevent+jwt"}"#, payload: Self.claims)
        #expect(Transmitter.verdict(unsecured, keys: own.keySet) == "unsecured_token")
        // As if the public key were the secret of an HMAC.
        let confused = TokenForge(.hs256, keyID: "test-key").token(Self.claims, type: "secevent+jwt")
        #expect(Transmitter.verdict(confused, keys: own.keySet) == "algorithm_not_allowed")
        let parts = Transmitter.token().split(separator: ".")
        let changed = Transmitter.token(Self.claims.replacing("sid-1", with: "sid-2")).split(separator: ".")
        #expect(Transmitter.verdict("\(parts[0]).\(changed[1]).\(parts[2])") == "signature_invalid")
    }

    @Test(arguments: [
        ("\"iss\":\"https://idp.example\"", "\"iss\":\"https://idp.example/\"", "issuer_mismatch"),
        ("\"iss\":\"https://idp.example\",\"aud\"", "\"aud\"", "missing_claim"),
        ("\"https://gateway.example\"", "\"https://other.example\"", "audience_mismatch"),
        ("\"https://gateway.example\"", "[\"https://other.example\",\"https://gateway.example\"]", "valid"),
        ("\"https://gateway.example\"", "[]", "audience_mismatch"),
        ("\"aud\":\"https://gateway.example\",", "", "missing_claim"),
        ("\"jti\":\"set-1\",", "", "missing_claim"),
        ("\"set-1\"", "\"\"", "invalid_text"),
        ("\"set-1\"", "1", "invalid_claim"),
        ("\"iat\":1700000000,", "", "missing_claim"),
        // The leeway is sixty seconds on either side.
        ("1700000000", "1700000160", "valid"),
        ("1700000000", "1700000161", "issued_in_future"),
        ("1700000000", "1699913641", "valid"),
        ("1700000000", "1699913640", "too_old"),
        ("1700000000", "\"1700000000\"", "invalid_claim"),
        ("\"iat\"", "\"exp\":1700000040,\"iat\"", "expired"),
        ("\"iat\"", "\"exp\":1700000200,\"iat\"", "valid"),
        ("\"iat\"", "\"nbf\":1700000200,\"iat\"", "not_yet_valid"),
        ("\"iat\"", "\"sub\":\"jane\",\"iat\"", "unexpected_subject"),
        ("\"iat\"", "\"txn\":7,\"iat\"", "invalid_text"),
        ("\"jti\":\"set-1\"", "\"jti\":\"set-1\",\"jti\":\"set-2\"", "duplicate_member"),
        ("{\"event_timestamp\":1699999990}", "{\"event_timestamp\":1,\"event_timestamp\":2}", "duplicate_member"),
        ("\"session\":", "\"session\":{\"format\":\"opaque\",\"id\":\"other\"},\"session\":", "duplicate_member"),
    ])
    func aClaimThatIsWrongRefusesTheToken(old: String, new: String, expected: String) {
        #expect(Self.claims.contains(old))
        #expect(Transmitter.verdict(Transmitter.token(Self.claims.replacing(old, with: new))) == expected)
    }

    @Test
    func theOperatorBoundsTheAge() {
        let policy = ClaimsPolicy.securityEvents(issuer: Transmitter.issuer, audience: Transmitter.audience, maximumAge: .seconds(39))
        #expect(Transmitter.verdict(Transmitter.token(), policy: policy) == "too_old")
        let longer = ClaimsPolicy.securityEvents(issuer: Transmitter.issuer, audience: Transmitter.audience, maximumAge: .seconds(41))
        #expect(Transmitter.verdict(Transmitter.token(), policy: longer) == "valid")
        let verifier = SecurityEventVerifier(keys: Transmitter.forge.keySet, policy: longer)
        #expect(verifier.acceptedUntil(issuedAt: 1_700_000_000) == 1_700_000_101)
    }

    @Test
    func aTokenBeyondItsLimitsIsRefused() {
        let long = String(repeating: "a", count: 1_025), deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let many = (0..<9).map { #""https://example.com/\#($0)":{}"# }.joined(separator: ",")
        for (claims, expected) in [
            (Self.claims.replacing("set-1", with: long), "invalid_text"),
            (Self.claims.replacing("sid-1", with: long), "invalid_subject"),
            (Transmitter.claims(events: "{\(many)}", subject: nil), "too_many_events"),
            (Transmitter.claims(events: "{\"https://example.com/\(long)\":{}}"), "invalid_events"),
            (Transmitter.claims(more: ",\"x\":\(deep)"), "nesting_too_deep"),
            (Transmitter.claims(more: ",\"x\":\"" + String(repeating: "a", count: 1 << 14) + "\""), "token_too_large"),
        ] { #expect(Transmitter.verdict(Transmitter.token(claims)) == expected) }
        #expect(Transmitter.verdict(String(repeating: "A", count: 1 << 20)) == "token_too_large")
    }

    private struct NoKeys: KeySource {
        func withKeys<Result: ~Copyable>(
            _ body: (KeySet) throws(VerificationError) -> Result
        ) throws(VerificationError) -> Result { throw .keysUnavailable }
    }

    @Test
    func aSourceWithoutKeysMayHaveThemLater() {
        do throws(SecurityEventError) {
            _ = try Transmitter.verified(keys: NoKeys())
            Issue.record("events are verified without keys")
        } catch {
            #expect(error.isRetryable && error.code == .tokenRefused && error.cause == .keysUnavailable)
        }
    }

    private struct StoppedClock: UnixClock { let now: NumericDate }

    @Test
    func theClockIsAskedWhereNoMomentIsGiven() throws {
        let token = Transmitter.token()
        let verifier = SecurityEventVerifier(
            keys: Transmitter.forge.keySet, policy: Transmitter.policy, clock: StoppedClock(now: 1_700_000_100))
        #expect(try verifier.verify(token) == verifier.verify(Array(token.utf8)))
        let early = SecurityEventVerifier(
            keys: Transmitter.forge.keySet, policy: Transmitter.policy, clock: StoppedClock(now: 1_600_000_000))
        #expect(throws: SecurityEventError.self) { try early.verify(token) }
    }
}
