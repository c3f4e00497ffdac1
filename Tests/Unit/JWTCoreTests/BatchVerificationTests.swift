import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// A batch gives each token the same result as a single verification.
struct BatchVerificationTests {
    private static let algorithms: [SignatureAlgorithm] = [
        .rs256, .rs384, .ps256, .ps512, .es256, .es384, .es512, .edDSA, .hs256,
    ]

    /// Keys of every kind in one set, some kinds twice, each with its own name.
    private static let forges = algorithms.filter { !$0.isSymmetric }.flatMap { algorithm in
        (0..<2).map { TokenForge(algorithm, keyID: "\(algorithm.name)-\($0)") }
    }

    private static let verifier: TokenVerifier<KeySet> = {
        let keys = TokenForge.keySet(forges.map(\.jwk))
        keys.prepare()
        return TokenVerifier(keys: keys, policy: .lenient)
    }()

    private func verdicts(_ verifier: TokenVerifier<some KeySource>, _ tokens: [String]) -> [String] {
        verifier.verify(batch: tokens, now: TokenForge.now).map { result in
            switch result {
            case .success: "valid"
            case .failure(let error): error.code.name
            }
        }
    }

    /// Tokens, valid and invalid in every way, mixed by a seed.
    private func tokens(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let forge = Self.forges[Int(random.next() % UInt64(Self.forges.count))]
            let good = forge.token()
            switch random.next() % 8 {
            case 0: return String(good.dropLast(random.next() % 2 == 0 ? 1 : 5))
            case 1: return Self.flipped(good, at: good.count - 20 - Int(random.next() % 40))
            case 2: return Self.flipped(good, at: Int(random.next() % UInt64(good.count)))
            case 3: return forge.token(TokenForge.idToken.replacing("1700003600", with: "1600003600"))
            default: return good
            }
        }
    }

    private static func flipped(_ token: String, at place: Int) -> String {
        var bytes = Array(token.utf8)
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 200])
    func aBatchSaysWhatEachTokenIsToldAlone(count: Int) {
        for seed in 0..<4 {
            let tokens = tokens(count, seed: UInt64(seed))
            #expect(verdicts(Self.verifier, tokens) == tokens.map { Self.verifier.verdict($0) })
        }
    }

    @Test
    func goodTokensAreAcceptedWithTheirOwnClaimsInOrder() throws {
        let tokens = (0..<100).map { place in
            Self.forges[place % Self.forges.count].token(TokenForge.idToken.replacing("248289761001", with: "subject-\(place)"))
        }
        let subjects = Self.verifier.verify(batch: tokens, now: TokenForge.now).map { try? $0.get().subject }
        #expect(subjects == (0..<100).map { "subject-\($0)" })
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .es384, .es512, .edDSA, .ps256])
    func oneBadTokenTouchesNoOther(algorithm: SignatureAlgorithm) {
        let forges = Self.forges.filter { $0.key.algorithm == algorithm }
        for bad in 0..<8 {
            var tokens = (0..<8).map { forges[$0 % forges.count].token() }
            tokens[bad] = Self.flipped(tokens[bad], at: tokens[bad].count - 30)
            let expected = (0..<8).map { $0 == bad ? "signature_invalid" : "valid" }
            #expect(verdicts(Self.verifier, tokens) == expected)
        }
    }

    @Test
    func keysThatAreUnavailableAreToldAfterTheTokensForm() {
        let verifier = TokenVerifier(keys: ReplaceableKeys(nil), policy: .lenient)
        let tokens = [Self.forges[0].token(), "junk", "a.b.c", Self.forges[5].token()]
        #expect(verdicts(verifier, tokens) == tokens.map { verifier.verdict($0) })
        #expect(verdicts(verifier, tokens).first == "keys_unavailable")
    }

    /// The caller's code may run long. Meanwhile no key set is retained, and a removed one accepts nothing more.
    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA, .hs256])
    func aKeyThatIsRemovedWithinABatchAcceptsNoMoreOfIt(algorithm: SignatureAlgorithm) {
        let forge = TokenForge(algorithm, keyID: "removed"), other = TokenForge(algorithm, keyID: "other")
        forge.keySet.prepare()
        let keys = ReplaceableKeys(forge.keySet)
        let batch = TokenBatch((0..<20).map { _ in forge.token() })
        var verdicts: [String] = []
        TokenVerifier(keys: keys, policy: .lenient).withVerified(batch, now: TokenForge.now) { place, _ in
            #expect(!keys.areLent)
            if place == 10 { keys.replace(other.keySet) }
            verdicts.append("valid")
        } refused: { _, error in
            #expect(!keys.areLent)
            verdicts.append(error.code.name)
        }
        #expect(verdicts == Array(repeating: "valid", count: 11) + Array(repeating: "unknown_key", count: 9))
    }

    @Test
    func secretsAreVerifiedOneByOneAndMixedSetsRefused() {
        let forge = Forges.hs256
        let tokens = (0..<20).map { $0 % 3 == 0 ? Self.flipped(forge.token(), at: 150) : forge.token() }
        #expect(verdicts(forge.verifier(), tokens) == tokens.map { forge.verifier().verdict($0) })
        let mixed = TokenVerifier(keys: TokenForge.keySet([forge.jwk, Forges.es256.jwk]), policy: .lenient)
        #expect(verdicts(mixed, [forge.token()]) == ["algorithm_not_allowed"])
    }

    @Test
    func severalKeysWithoutANameAreTriedAsAlone() {
        let keys = (0..<3).map { _ in TokenForge(.es256, keyID: nil) }
        let verifier = TokenVerifier(keys: TokenForge.keySet(keys.map(\.jwk)), policy: .lenient)
        verifier.keys.prepare()
        let tokens = (0..<16).map { keys[$0 % 3].token() }
        #expect(verdicts(verifier, tokens) == Array(repeating: "valid", count: 16))
    }

    @Test
    func aBatchIsFilledAgain() {
        var batch = TokenBatch()
        for round in 0..<3 {
            batch.removeAll()
            for forge in Self.forges.prefix(round + 1) { batch.append(forge.token()) }
            #expect(Self.verifier.verify(batch, now: TokenForge.now).count == round + 1)
        }
    }
}
