import DPoP
import JWTCore
import Testing

/// Nonces without a memory: two are good at once, and only those of the secret and the label.
struct ProofNonceTests {
    private static let secret = Array(repeating: UInt8(7), count: 32)
    private static let older = Array(repeating: UInt8(8), count: 32)

    private static func nonces(_ secrets: [[UInt8]] = [secret], _ label: String = "api") throws -> ProofNonces {
        try #require(ProofNonces(secrets: secrets, label: label))
    }

    private static func code(_ nonce: String?, _ nonces: ProofNonces, at now: NumericDate = ProofForge.now) -> String? {
        var policy = ProofPolicy()
        policy.nonces = nonces
        let claims = ProofForge.claims(["nonce": nonce, "iat": "\(now.seconds)"])
        return ProofVerifier(policy: policy).code(ProofForge.es256.proof(claims), now: now)
    }

    /// RFC 9449 section 8.2.
    @Test
    func aProofWithTheNonceBeforeNamesTheNextOne() throws {
        let start: NumericDate = 1_700_000_100, later = start.advanced(bySeconds: 300), older = try Self.nonces([Self.older])
        var policy = ProofPolicy()
        func next(_ nonce: String?) throws -> String? {
            let claims = ProofForge.claims(["nonce": nonce.map { "\"\($0)\"" }, "iat": "\(later.seconds)"])
            let forge = ProofForge.es256, verifier = ProofVerifier(policy: policy)
            return try verifier.verify(
                forge.proof(claims), method: "GET", url: "https://api.example/orders", accessToken: ProofForge.token,
                boundTo: forge.thumbprint, now: later
            ).nextNonce
        }
        #expect(try next(nil) == nil)
        policy.nonces = try Self.nonces([Self.secret, Self.older])
        let current = try #require(policy.nonces?.current(at: later))
        #expect(try next(current) == nil)
        #expect(try next(policy.nonces?.current(at: start)) == current)
        // A secret that was replaced.
        #expect(try next(older.current(at: later)) == current)
    }

    @Test
    func theCurrentNonceAndTheOneBeforeAreGood() throws {
        let nonces = try Self.nonces(), start: NumericDate = 1_700_000_100
        #expect(start.seconds % 300 == 0)
        let nonce = "\"\(nonces.current(at: start))\""
        for seconds: Int64 in [0, 299, 300, 599] {
            #expect(Self.code(nonce, nonces, at: start.advanced(by: .seconds(seconds))) == nil, "after \(seconds) s")
        }
        for seconds: Int64 in [600, 900, -1] {
            #expect(Self.code(nonce, nonces, at: start.advanced(by: .seconds(seconds))) == "proof_nonce_mismatch", "after \(seconds) s")
        }
        #expect(nonces.current(at: start) != nonces.current(at: start.advanced(by: .seconds(300))))
        #expect(nonces.current(at: start) == nonces.current(at: start.advanced(by: .seconds(299))))
    }

    @Test(arguments: [
        (nil, "missing_proof_nonce"), ("7", "invalid_proof_claim"), ("null", "invalid_proof_claim"), (#""""#, "proof_nonce_mismatch"),
        (#""AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#, "proof_nonce_mismatch"), (#""x""#, "proof_nonce_mismatch"),
        ("\"" + String(repeating: "a", count: 257) + "\"", "proof_too_large"),
    ])
    func anyOtherNonceIsRefused(nonce: String?, code: String) throws { #expect(Self.code(nonce, try Self.nonces()) == code) }

    @Test
    func aNonceOfAnotherSecretOrLabelIsRefused() throws {
        let mine = try Self.nonces()
        for other in [try Self.nonces([Self.older]), try Self.nonces([Self.secret], "other"), .random(label: "api"), .random(label: "api")]
        {
            #expect(Self.code("\"\(other.current(at: ProofForge.now))\"", mine) == "proof_nonce_mismatch")
        }
        let nonce = mine.current(at: ProofForge.now)
        #expect(nonce.utf8.count == 32)
        #expect(Self.code("\"\(nonce.dropLast())\"", mine) == "proof_nonce_mismatch")
        #expect(Self.code("\"\(nonce)A\"", mine) == "proof_nonce_mismatch")
        #expect(Self.code("\"\(nonce.uppercased())\"", mine) == "proof_nonce_mismatch")
    }

    @Test
    func serversWithOneSecretKnowEachOthersNoncesAlsoWhileItIsReplaced() throws {
        let before = try Self.nonces([Self.older]), during = try Self.nonces([Self.secret, Self.older]), after = try Self.nonces()
        func text(_ nonces: ProofNonces) -> String { "\"\(nonces.current(at: ProofForge.now))\"" }
        #expect(Self.code(text(before), during) == nil && Self.code(text(during), after) == nil)
        #expect(Self.code(text(before), after) == "proof_nonce_mismatch")
        #expect(Self.code(text(try Self.nonces()), after) == nil)
    }

    @Test
    func aWeakSecretOrAnImpossiblePeriodIsNone() {
        #expect(ProofNonces(secrets: [], label: "") == nil)
        #expect(ProofNonces(secrets: [Array(repeating: 1, count: 31)], label: "") == nil)
        #expect(ProofNonces(secrets: [Self.secret, [1]], label: "") == nil)
        #expect(ProofNonces(secrets: [Self.secret, Self.older, Self.secret], label: "") == nil)
        for period: Duration in [.zero, .seconds(-1), .seconds(86_401), .milliseconds(1_500)] {
            #expect(ProofNonces(secrets: [Self.secret], label: "", period: period) == nil)
        }
        #expect(ProofNonces(secrets: [Self.secret], label: "", period: .seconds(86_400)) != nil)
    }

    @Test
    func aNonceOfTheFarPastAndTheFutureHasAStep() throws {
        let nonces = try Self.nonces()
        for now: NumericDate in [0, -1, -300, -301, 253_402_300_799] { #expect(nonces.current(at: now).utf8.count == 32) }
        #expect(nonces.current(at: -1) != nonces.current(at: 0) && nonces.current(at: -1) == nonces.current(at: -300))
        #expect(nonces.current(at: -301) != nonces.current(at: -300))
    }

    @Test
    func noDescriptionHasASecretOrANonce() throws {
        let nonces = try Self.nonces()
        var policy = ProofPolicy()
        policy.nonces = nonces
        var text = ""
        dump(ProofVerifier(policy: policy), to: &text)
        dump(nonces, to: &text)
        #expect(!text.contains(nonces.current(at: ProofForge.now)) && !text.contains("7, 7") && text.contains("300 s"))
    }
}
