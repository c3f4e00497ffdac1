import AssayTesting
import DPoP
import JWTCore
import Testing

/// Bound tokens and proofs for tests (RFC 9449), and every defect that a test may want of them.
struct BoundTokenTests {
    private static let now: NumericDate = 1_700_000_000
    private static let url = "https://api.example/orders"
    private static let client = Result { try TestKey(.es256, keyID: nil) }
    private static let other = Result { try TestKey(.es256, keyID: nil) }
    private static let issuer = Result { try TestIssuer(clock: ManualClock(date: now.seconds)) }

    /// The code of a refusal, or "accepted".
    private func verdict(_ proof: String, _ token: String) throws -> String {
        let policy = ClaimsPolicy.accessToken(issuer: "https://idp.example", audience: "https://api.example")
        let verified = try TokenVerifier(keys: Self.issuer.get().keySet, policy: policy).verify(token, now: Self.now)
        guard case .keyThumbprint(let key) = try verified.claims.confirmation else { return "unbound" }
        do throws(VerificationError) {
            _ = try ProofVerifier().verify(proof, method: "GET", url: Self.url, accessToken: token, boundTo: key, now: Self.now)
            return "accepted"
        } catch {
            return error.code.name
        }
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .edDSA, .ps256, .rs256])
    func aProofIsGoodForItsToken(algorithm: SignatureAlgorithm) throws {
        let client = try TestKey(algorithm), token = try Self.issuer.get().accessToken(boundTo: client)
        #expect(try verdict(client.proof(method: "GET", url: Self.url, accessToken: token, issuedAt: Self.now), token) == "accepted")
    }

    @Test(
        arguments: [
            (["htm": "POST"], "proof_method_mismatch"), (["htu": "https://api.example/x"], "proof_url_mismatch"),
            (["ath": "x"], "proof_token_mismatch"), (["ath": nil], "missing_proof_claim"), (["jti": nil], "missing_proof_claim"),
            (["iat": 1_699_999_900], "proof_too_old"), (["iat": 1_700_000_100], "proof_issued_in_future"),
            (["exp": 1_699_999_900], "proof_too_old"), (["nonce": "n-1"], "accepted"),
        ] as [([String: (any Encodable & Sendable)?], String)])
    func aClaimIsReplacedOrTakenAway(claims: [String: (any Encodable & Sendable)?], code: String) throws {
        let client = try Self.client.get(), token = try Self.issuer.get().accessToken(boundTo: client)
        let proof = try client.proof(
            method: "GET", url: Self.url, accessToken: token, issuedAt: Self.now, claims: claims.mapValues { $0 })
        #expect(try verdict(proof, token) == code)
    }

    @Test(
        arguments: [
            (["typ": "JWT"], "proof_type_mismatch"), (["typ": nil], "proof_type_mismatch"), (["jwk": nil], "invalid_proof_key"),
            (["alg": "ES384"], "invalid_proof_key"), (["alg": "none"], "proof_algorithm_not_allowed"), (["kid": "key-1"], "accepted"),
            (["crit": ["x"], "x": 1], "malformed_proof"),
        ] as [([String: (any Encodable & Sendable)?], String)])
    func aMemberOfTheHeaderIsReplacedOrTakenAway(header: [String: (any Encodable & Sendable)?], code: String) throws {
        let client = try Self.client.get(), token = try Self.issuer.get().accessToken(boundTo: client)
        let proof = try client.proof(
            method: "GET", url: Self.url, accessToken: token, issuedAt: Self.now, header: header.mapValues { $0 })
        #expect(try verdict(proof, token) == code)
    }

    @Test func aProofIsOfOneKeyAndForOneToken() throws {
        let client = try Self.client.get(), other = try Self.other.get(), issuer = try Self.issuer.get()
        let token = try issuer.accessToken(boundTo: client), second = try issuer.accessToken(boundTo: client)
        func proof(_ key: TestKey, for token: String) throws -> String {
            try key.proof(method: "GET", url: Self.url, accessToken: token, issuedAt: Self.now)
        }
        #expect(try verdict(proof(other, for: token), token) == "proof_key_mismatch")
        #expect(try verdict(proof(client, for: second), token) == "proof_token_mismatch")
        #expect(try verdict(proof(client, for: token), issuer.accessToken()) == "unbound")
        #expect(try verdict(proof(client, for: token), issuer.accessToken(["cnf": nil], boundTo: client)) == "unbound")
    }

    @Test func aSharedSecretProvesNothing() throws {
        let shared = try TestKey(.hs256)
        #expect(throws: TestKeyError.unavailable(.hs256)) { try Self.issuer.get().accessToken(boundTo: shared) }
        #expect(throws: TestKeyError.unavailable(.hs256)) { try shared.proof(method: "GET", url: Self.url, issuedAt: Self.now) }
    }
}
