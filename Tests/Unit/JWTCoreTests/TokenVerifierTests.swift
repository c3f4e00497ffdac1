import JWTCore
import JWTSigning
import JWTTestSupport
import Locks
import Testing

struct TokenVerifierTests {
    @Test(arguments: Forges.available)
    func aGoodTokenIsVerifiedAndKept(algorithm: SignatureAlgorithm) throws {
        func lent(_ token: VerifiedToken) -> (Bool?, String?) { (token.claims["aud"]?.contains("client-1"), token.header.type?.string) }
        let forge = Forges.of(algorithm)
        let token = try forge.verifier().verify(forge.token(), now: TokenForge.now)
        #expect(token.algorithm == algorithm)
        #expect([token.issuer, token.subject, token.keyID] == ["https://idp.example", "248289761001", "test-key"])
        #expect(token.expiration == 1_700_003_600)
        #expect(token.keyPosition == 0)
        #expect(String(decoding: token.payload, as: UTF8.self) == TokenForge.idToken)
        let (audience, type) = lent(token)
        #expect(audience == true)
        #expect(type == "JWT")
    }

    @Test
    func whatIsLentIsWhatTheTokenSays() throws {
        let forge = Forges.ed25519
        let token = forge.token(
            #"{"iss":"i","sub":"\u0073","\u0061ud":["a"],"exp":1700003600.5,"nbf":1,"iat":2,"auth_time":3,"jti":"j","x":{"y":[true]}}"#)
        try forge.verifier().withVerified(token.utf8.span, now: TokenForge.now) { claims in
            let texts = [claims.issuer?.string, claims.subject?.string, claims.tokenID?.string, claims[.issuer]?.string?.string]
            #expect(texts == ["i", "s", "j", "i"])
            let dates = [claims.expiration, claims.notBefore, claims.issuedAt, claims.authenticationTime]
            #expect(dates == [NumericDate(seconds: 1_700_003_600, nanoseconds: 500_000_000), 1, 2, 3])
            let (hasAudience, flag) = (claims.audience?.contains("a"), claims.value.value(at: "x", "y")?[0]?.bool)
            #expect(hasAudience == true && flag == true)
            let isAbsent = [claims[.nonce] == nil, claims["y"] == nil, claims[.codeHash] == nil]
            #expect(isAbsent == [true, true, true])
            let (algorithm, position) = (claims.algorithm, claims.keyPosition)
            #expect(algorithm == .edDSA && position == 0)
        }
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA, .hs256])
    func everySingleBitOfATokenMatters(algorithm: SignatureAlgorithm) {
        let forge = Forges.of(algorithm), verifier = forge.verifier()
        let token = Array(forge.token().utf8)
        #expect(verdict(verifier, token) == "valid")
        var accepted: [Int] = []
        for bit in 0..<8 * token.count {
            var flipped = token
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            if verdict(verifier, flipped) == "valid" { accepted.append(bit) }
        }
        #expect(accepted.isEmpty)
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA, .hs256])
    func noBytePutInOrTakenOutGoesUnnoticed(algorithm: SignatureAlgorithm) {
        let forge = Forges.of(algorithm), verifier = forge.verifier()
        let token = Array(forge.token().utf8)
        var accepted: [Int] = []
        for position in 0...token.count {
            var changed = "A=. \n!".utf8.map { token[..<position] + [$0] + token[position...] }
            if position < token.count { changed += [token[..<position] + token[(position + 1)...], token[..<position]] }
            if changed.contains(where: { verdict(verifier, Array($0)) == "valid" }) { accepted.append(position) }
        }
        #expect(accepted.isEmpty)
    }

    @Test
    func verificationsNest() throws {
        let outer = Forges.es256, inner = Forges.ed25519, token = inner.token(#"{"sub":"inner"}"#)
        let seen = try outer.verifier().withVerified(outer.token().utf8.span, now: TokenForge.now) { claims in
            let nested = (0..<3).map { _ in
                try? inner.verifier().withVerified(token.utf8.span, now: TokenForge.now) { claims in
                    let refused = outer.verifier().verdict("e30.e30.e30")
                    return (claims.subject?.string ?? "") + " " + refused
                }
            }
            return nested + [claims.subject?.string]
        }
        #expect(seen == ["inner missing_algorithm", "inner missing_algorithm", "inner missing_algorithm", "248289761001"])
    }

    // Sources of keys and time

    @Test
    func aSourceWithoutKeysIsToldApartFromAForgedToken() {
        let source = ReplaceableKeys(nil)
        let verifier = TokenVerifier(keys: source, policy: .lenient)
        let forge = Forges.ed25519
        #expect(verifier.verdict(forge.token()) == "keys_unavailable")
        #expect(verifier.payloadVerdict(forge.token()) == "keys_unavailable")
        #expect(source.asked == 2)
        // A token that is refused without a key does not call the source.
        for token in ["", "a.b", forge.token(header: #"{"alg":"none"}"#), forge.token(header: #"{"alg":"EdDSA","crit":[]}"#)] {
            #expect(verifier.verdict(token) != "keys_unavailable")
        }
        #expect(source.asked == 2)
    }

    @Test
    func theSourceIsAskedOncePerVerification() {
        let source = ReplaceableKeys(Forges.ed25519.keySet)
        let verifier = TokenVerifier(keys: source, policy: .lenient)
        for count in 1...5 {
            #expect(verifier.verdict(Forges.ed25519.token()) == "valid")
            #expect(source.asked == count)
        }
    }

    private struct StoppedClock: UnixClock {
        let time: NumericDate
        let asked = Guarded(0)
        var now: NumericDate {
            asked.withLock { $0 += 1 }
            return time
        }
    }

    @Test
    func theClockIsAskedWhereNoMomentIsGiven() {
        let forge = Forges.ed25519, clock = StoppedClock(time: 1_700_003_660)
        let verifier = TokenVerifier(keys: forge.keySet, policy: .lenient, clock: clock)
        #expect(verifier.verdict(forge.token(), now: 1_700_003_659) == "valid")
        #expect(clock.asked.withLock { $0 } == 0)
        #expect(verifier.verdict(forge.token(), now: nil) == "expired")
        #expect(clock.asked.withLock { $0 } == 1)
    }

    @Test
    func theSystemsClockRuns() {
        let first = SystemClock().now, second = SystemClock().now
        #expect(first <= second)
        #expect(first > 1_750_000_000)
        // A clock that failed would tell the last second of all.
        #expect(second < 10_000_000_000)
        #expect(Forges.ed25519.verifier().verdict(Forges.ed25519.token(), now: nil) == "expired")
    }

    /// Limits beyond any memory allow what memory allows, and negative ones nothing.
    @Test(arguments: [
        (Int.max, "valid"), (1 << 20, "valid"), (0, "too_many_members"), (-1, "too_many_members"), (Int.min, "too_many_members"),
    ])
    func limitsMayHaveAnyValue(limit: Int, expected: String) {
        for member in [\TokenLimits.headerValues, \.values] {
            var limits = TokenLimits.standard
            limits[keyPath: member] = limit
            #expect(Forges.ed25519.verifier(limits: limits).verdict(Forges.ed25519.token()) == expected)
        }
    }

    // Payloads that are not claims

    @Test(arguments: ["", "x", #"{"exp":1}"#, "\u{0}", "not json at all"])
    func anyPayloadIsLentOnceItsSignatureIsVerified(payload: String) throws {
        let forge = Forges.ed25519, token = forge.token(header: #"{"alg":"EdDSA"}"#, payload: payload)
        let lent = try forge.verifier().withVerifiedPayload(token.utf8.span) { bytes, _ in text(bytes) }
        #expect(lent == payload)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false), detached = "\(parts[0])..\(parts[2])"
        func detachedVerdict(_ token: String, _ payload: String) -> String {
            verdict { try forge.verifier().verifyDetached(token.utf8.span, payload: payload.utf8.span) }
        }
        #expect(detachedVerdict(detached, payload) == "valid")
        #expect(detachedVerdict(detached, payload + "x") == "signature_invalid")
        #expect(detachedVerdict(token, payload) == (payload.isEmpty ? "valid" : "malformed_token"))
    }

    @Test
    func whatATokenSaysUnverifiedIsReadStrictlyAndNoMore() throws {
        let forged = Forges.ed25519.token(header: #"{"alg":"none"}"#, payload: #"{"iss":"https://evil.example","exp":1}"#)
        #expect(try UnverifiedClaims(reading: forged.utf8.span).issuer == "https://evil.example")
    }

    @Test(arguments: [
        ("e30.W10.AA", "invalid_claim"), ("W10.e30.AA", "invalid_header"), ("e30.e30", "malformed_token"),
        ("e30.e30.A", "invalid_base64url"), ("e30.eyJhIjoxLCJhIjoxfQ.AA", "duplicate_member"), ("e30.e30.", "valid"),
    ])
    func unverifiedClaimsAreOfWellFormedTokens(token: String, expected: String) {
        #expect(verdict { _ = try UnverifiedClaims(reading: token.utf8.span) } == expected)
    }

    private func verdict(_ verifier: TokenVerifier<KeySet>, _ token: [UInt8]) -> String {
        JWTCoreTests.verdict { try verifier.withVerified(token.span, now: TokenForge.now) { _ in } }
    }

    private func verdict(_ body: () throws -> Void) -> String { JWTCoreTests.verdict(body) }
}
