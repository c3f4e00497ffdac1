import JWTCore
import JWTTestSupport
import Testing
import TokenStatus

/// Which tokens a list is taken from: those that were verified, under whatever policy, and are the list that was asked for.
struct StatusListVerifierTests {
    private static let claims = ListIssuer.claims(DraftVector.oneBitExample.text)

    private static func verdict(_ token: String, keys: some KeySource, policy: ClaimsPolicy = .statusList) -> String {
        outcome {
            try StatusListVerifier(keys: keys, policy: policy).verify(token, uri: ListIssuer.uri, now: TokenForge.now)
        }
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA])
    func aListOfAnyAlgorithmIsVerified(algorithm: SignatureAlgorithm) {
        let forge = TokenForge(algorithm)
        #expect(Self.verdict(forge.token(Self.claims, type: "statuslist+jwt"), keys: forge.keySet) == "valid")
    }

    @Test
    func anotherKeyDoesNotVerifyAList() {
        let own = TokenForge(.es256), other = TokenForge(.es256), rsa = TokenForge(.rs256)
        let token = other.token(Self.claims, type: "statuslist+jwt")
        #expect(Self.verdict(token, keys: own.keySet) == "signature_invalid")
        #expect(Self.verdict(token, keys: rsa.keySet) == "key_algorithm_mismatch")
        #expect(Self.verdict(token, keys: TokenForge(.es256, keyID: "another").keySet) == "unknown_key")
        let unsecured = other.token(header: #"{"alg":"none","typ":"statuslist+jwt"}"#, payload: Self.claims)
        #expect(Self.verdict(unsecured, keys: other.keySet) == "unsecured_token")
    }

    @Test
    func aSecretVerifiesAListWhereThePolicyNamesItsAlgorithm() {
        let forge = TokenForge(.hs256), token = forge.token(Self.claims, type: "statuslist+jwt")
        #expect(Self.verdict(token, keys: forge.keySet) == "algorithm_not_allowed")
        var policy = ClaimsPolicy.statusList
        policy.algorithms = .symmetric
        #expect(Self.verdict(token, keys: forge.keySet, policy: policy) == "valid")
    }

    @Test
    func noPolicyTakesAnotherTokenForAList() {
        func verdict(_ token: String) -> String { Self.verdict(token, keys: ListIssuer.forge.keySet, policy: .lenient) }
        #expect(verdict(ListIssuer.token(Self.claims, type: "JWT")) == "type_mismatch")
        #expect(verdict(ListIssuer.token(#"{"iat":1700000000}"#)) == "missing_claim")
        #expect(verdict(ListIssuer.token(Self.claims.replacing("lists/1", with: "lists/2"))) == "subject_mismatch")
    }

    @Test
    func aPolicyMayRequireMore() {
        let keys = ListIssuer.forge.keySet
        var policy = ClaimsPolicy.statusList
        policy.issuers = ["https://idp.example"]
        #expect(Self.verdict(ListIssuer.token(Self.claims), keys: keys, policy: policy) == "missing_claim")
        let named = Self.claims.replacing("{\"sub\"", with: #"{"iss":"https://idp.example","sub""#)
        #expect(Self.verdict(ListIssuer.token(named), keys: keys, policy: policy) == "valid")
        policy = .statusList
        policy.leeway = .zero
        let later = Self.claims.replacing("1700000000", with: "1700000101")
        #expect(Self.verdict(ListIssuer.token(later), keys: keys, policy: policy) == "issued_in_future")
        #expect(Self.verdict(ListIssuer.token(later), keys: keys) == "valid")
    }

    @Test
    func anEmptyURIFitsNoList() {
        let verdict = outcome {
            let token = ListIssuer.token(Self.claims.replacing(ListIssuer.uri, with: ""))
            return try StatusListVerifier(keys: ListIssuer.forge.keySet).verify(token, uri: "", now: TokenForge.now)
        }
        #expect(verdict == "subject_mismatch")
    }

    /// As from a verification with a router, a cache or a fetch.
    @Test
    func theClaimsOfAnyVerificationMakeAList() throws {
        let verifier = TokenVerifier(keys: ListIssuer.forge.keySet, policy: .lenient, limits: .statusList(maximumBytes: 16))
        func list(_ token: String, maximumBytes: Int) throws -> VerifiedStatusList {
            let kept = try verifier.verify(token, now: TokenForge.now)
            return try VerifiedStatusList(kept.claims, uri: ListIssuer.uri, now: TokenForge.now, maximumBytes: maximumBytes)
        }
        #expect(try list(ListIssuer.token(Self.claims), maximumBytes: 2).statuses == DraftVector.oneBitExample.statuses)
        #expect(outcome { try list(ListIssuer.token(Self.claims), maximumBytes: 1) } == "list_too_large")
        #expect(outcome { try list(ListIssuer.token(Self.claims, type: "at+jwt"), maximumBytes: 2) } == "type_mismatch")
    }

    /// Noise, which deflate makes longer, up to the limit: the token's limits follow from the list's.
    @Test(arguments: [0, 1, 100, 10_000, 1 << 20])
    func aListThatDoesNotCompressHasRoom(count: Int) throws {
        let bytes = noise(count)
        for level in [0, 9] as [Int32] {
            let list = try ListIssuer.list(Deflate.text(bytes, level: level), bits: 8, maximumBytes: count)
            #expect(list.count == count && list.status(at: count - 1) == bytes.last)
        }
    }

    @Test
    func aTokenBeyondTheLimitsIsNotRead() {
        let token = String(repeating: "A", count: 4 << 20)
        #expect(Self.verdict(token, keys: ListIssuer.forge.keySet) == "token_too_large")
    }

    private struct NoKeys: KeySource {
        func withKeys<Result: ~Copyable>(
            _ body: (KeySet) throws(VerificationError) -> Result
        ) throws(VerificationError) -> Result { throw .keysUnavailable }
    }

    @Test
    func aSourceWithoutKeysMayHaveThemLater() {
        do throws(StatusListError) {
            _ = try StatusListVerifier(keys: NoKeys()).verify(ListIssuer.token(Self.claims), uri: ListIssuer.uri, now: TokenForge.now)
            Issue.record("a list is verified without keys")
        } catch {
            #expect(error.isRetryable && error.code == .tokenRefused && error.cause == .keysUnavailable)
        }
    }

    private struct StoppedClock: UnixClock { let now: NumericDate }

    @Test
    func theClockIsAskedWhereNoMomentIsGiven() {
        let token = ListIssuer.token(Self.claims)
        for (now, expected) in [(1_700_000_100, "valid"), (1_600_000_000, "issued_in_future")] as [(NumericDate, String)] {
            let verifier = StatusListVerifier(keys: ListIssuer.forge.keySet, clock: StoppedClock(now: now))
            for verdict in [
                outcome { try verifier.verify(token, uri: ListIssuer.uri) },
                outcome { try verifier.verify(Array(token.utf8), uri: ListIssuer.uri) },
            ] { #expect(verdict == expected) }
        }
    }
}
