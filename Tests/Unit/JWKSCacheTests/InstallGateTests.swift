import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// The conditions for accepting a document, and the state of the old keys after a refusal.
struct InstallGateTests {
    @Test(arguments: [
        "1", "null", "{}", "{\"kty\":\"unknown\",\"kid\":\"a\"}", "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AAAA\",\"y\":\"AAAA\"}",
        "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}", "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"\"}", "{\"kty\":\"EC\",\"kid\":7}",
    ])
    func oneBadKeyAmongManyCostsNothingAndIsReported(bad: String) async {
        let good = (0..<8).map { KeyPool.forges[$0].jwk }
        let observed = await ObservedKeys.loaded(KeyPool.document(good.prefix(4) + [bad] + good.dropFirst(4)))
        #expect((0..<8).map { observed.verdict(KeyPool.token($0)) } == Array(repeating: "valid", count: 8))
        #expect(observed.keys.status.keys.map { $0.unusableReason == nil } == [true, true, true, true, false, true, true, true, true])
        #expect(observed.log.words == ["started: start", "installed"])
    }

    /// A refused document and the reason.
    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let document: String
        let reason: String

        init(_ testDescription: String, _ document: String, _ reason: String) {
            self.testDescription = testDescription
            self.document = document
            self.reason = reason
        }
    }

    private static let secret = "{\"kty\":\"oct\",\"kid\":\"s\",\"k\":\"\(String(repeating: "A", count: 64))\"}"
    private static let deep = String(repeating: "[", count: 100_000)

    static let refused = [
        Refused("nothing", "", "invalid_json"),
        Refused("no keys", "{\"keys\":[]}", "no_usable_key"),
        Refused("unknown keys alone", "{\"keys\":[{\"kty\":\"?\"},{}]}", "no_usable_key"),
        Refused("a shared secret alone", KeyPool.document([secret]), "no_usable_key"),
        Refused("keys for encryption alone", KeyPool.set(1).replacing("\"use\":\"sig\"", "\"use\":\"enc\""), "no_usable_key"),
        Refused("an error", "{\"error\":\"temporarily_unavailable\"}", "invalid_key"),
        Refused("a list", "[\(KeyPool.forges[1].jwk)]", "invalid_key"),
        Refused("a page", "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "invalid_json"),
        Refused("a byte order mark", "\u{feff}" + KeyPool.set(1), "invalid_json"),
        Refused("half a document", String(KeyPool.set(1).dropLast(20)), "invalid_json"),
        Refused("members twice", "{\"keys\":[],\"keys\":[\(KeyPool.forges[1].jwk)]}", "duplicate_member"),
        Refused("a key's members twice", KeyPool.set(1).replacing("\"kty\"", "\"kty\":\"EC\",\"kty\""), "duplicate_member"),
        Refused(
            "257 keys", KeyPool.document(Array(repeating: "{\"kty\":\"?\"}", count: 256) + [KeyPool.forges[1].jwk]), "too_many_members"),
        Refused("257 KiB", KeyPool.set(1) + String(repeating: " ", count: 262_145), "token_too_large"),
        Refused("a hundred thousand brackets", "{\"keys\":\(deep)", "invalid_json"),
    ]

    @Test(arguments: refused)
    func whatHoldsNoKeysIsAFailedRefresh(refused: Refused) async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.clock.advance(by: .seconds(100))
        let before = observed.keys.status
        #expect(await observed.refresh(refused.document) == ["started: request", "failed: \(refused.reason)"])

        let after = observed.keys.status
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect((after.generation, after.keys.count) == (before.generation, 1))
        // A refused document does not make the old one fresher.
        #expect((after.age, after.freshFor, after.believedFor) == (before.age, before.freshFor, before.believedFor))
        #expect(after.failures == 1)
        #expect(RefreshPolicy().backoff.contains(after.nextFetchIn))
    }

    @Test
    func afterRefusalsTheOldSetEndsAtItsTime() async {
        var policy = RefreshPolicy()
        policy.staleIfError = .seconds(60)
        let observed = await ObservedKeys.loaded(KeyPool.set(0), policy: policy)
        observed.transport.answer(ObservedKeys.url, "{\"keys\":[]}")
        observed.clock.advance(by: .seconds(359))
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect(observed.keys.status.health == .stale)
        observed.clock.advance(by: .seconds(1))
        #expect(observed.verdict(KeyPool.token(0)) == "keys_unavailable")
        #expect(observed.keys.status.health == .unavailable && observed.keys.generation == nil)
    }

    @Test
    func anEmptySetRevokesAllWhereThatIsWhatItMeans() async {
        var policy = RefreshPolicy()
        policy.emptySet = .revokesAll
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1), policy: policy)
        #expect(await observed.refresh("{\"keys\":[]}") == ["started: request", "installed"])
        #expect(observed.keys.status.keys.isEmpty)
        #expect(observed.keys.generation == 2)
        #expect(await observed.refresh(KeyPool.set(0)).last == "installed")
        // Neither is a key for encryption one for signatures.
        #expect(await observed.refresh("{\"keys\":[{\"kty\":\"EC\",\"use\":\"enc\"}]}").last == "installed")
        // An unusable key for signatures is an error.
        #expect(await observed.refresh("{\"keys\":[{\"kty\":\"?\"}]}").last == "failed: no_usable_key")
        #expect(await observed.refresh(KeyPool.set(1)).last == "installed")
        #expect([0, 1].map { observed.verdict(KeyPool.token($0)) } == ["keys_unavailable", "valid"])
    }

    @Test
    func aPublishedSecretIsNotUsedAndToldOf() async {
        let observed = await ObservedKeys.loaded(KeyPool.document([KeyPool.forges[0].jwk, TokenForge(.hs256, keyID: "shared").jwk]))
        #expect(observed.log.words == ["started: start", "installed", "alarm: secret_published"])
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect(observed.keys.key("shared")?.unusableReason == .invalidKey)
        var policy = KeyPool.policy
        policy.algorithms = AlgorithmSet(SignatureAlgorithm.all)
        let verdict = TokenVerifier(keys: observed.keys, policy: policy).verdict(TokenForge(.hs256, keyID: "shared").token())
        #expect(verdict == "algorithm_not_allowed")
    }

    private static let leaked = KeyPool.forges[0].jwk.replacing("{\"kty\"", "{\"d\":\"\(String(repeating: "B", count: 43))\",\"kty\"")

    @Test
    func ofAPublishedPrivateKeyThePublicPartIsUsedAndItIsToldOf() async {
        let observed = await ObservedKeys.loaded(KeyPool.document([Self.leaked]))
        #expect(observed.log.words == ["started: start", "installed", "alarm: private_key_published"])
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
    }

    @Test
    func aKeyThatBeginsToLeakItsPrivateHalfIsToldOfAndIsNoOtherKey() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        #expect(await observed.refresh(KeyPool.document([Self.leaked])).suffix(2) == ["installed", "alarm: private_key_published"])
        #expect(observed.keys.key("key-0")?.advisories == [.privateMaterial])
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
    }
}

extension String {
    /// The text with every `old` replaced by `new`.
    func replacing(_ old: String, _ new: String) -> String { replacing(old[...], with: new[...]) }
}
