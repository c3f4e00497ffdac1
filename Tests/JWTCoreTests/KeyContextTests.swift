import COpenSSL
import JWTCore
import JWTTestSupport
import Testing

/// What a thread keeps of the keys it has verified with. Each test has a thread of its own, whose memory starts empty.
struct KeyContextTests {
    private static func makeKeys(_ count: Int) -> [VerificationKey] {
        (0..<count).compactMap { number in
            try? VerificationKey(secret: Array(repeating: UInt8(number & 0xff), count: 32) + [UInt8(number >> 8)], algorithm: .hs256)
        }
    }

    /// Has the calling thread meet each key; the signature need not be good for that.
    private static func meet(_ keys: [VerificationKey]) {
        let message = [UInt8](repeating: 1, count: 16), signature = [UInt8](repeating: 0, count: 32)
        for key in keys { _ = SignatureEngine.verify(.hs256, key: key, message: message.span, signature: signature.span) }
    }

    @Test
    func aThreadKeepsAtMost128Contexts() {
        let keys = Self.makeKeys(300)
        let counts = Guarded<[Int]>([])
        onThreads(1) { _ in
            counts.withLock { $0.append(cossl_thread_context_count()) }
            for _ in 0..<2 {
                for key in keys {
                    Self.meet([key])
                    counts.withLock { $0.append(cossl_thread_context_count()) }
                }
            }
        }
        let seen = counts.withLock { $0 }
        #expect(keys.count == 300)
        #expect(seen.count == 601)
        #expect(seen.first == 0)
        #expect((seen.max() ?? 0) <= 128)
        #expect((seen.last ?? 0) >= 64)
    }

    @Test
    func contextsOfDeadKeysGoWhenTheThreadMeetsANewOne() {
        let counts = Guarded<[Int]>([])
        onThreads(1) { _ in
            var keys = Self.makeKeys(64)
            Self.meet(keys)
            counts.withLock { $0.append(cossl_thread_context_count()) }
            keys = []
            Self.meet(Self.makeKeys(1))
            counts.withLock { $0.append(cossl_thread_context_count()) }
        }
        let seen = counts.withLock { $0 }
        #expect(seen.count == 2)
        #expect((seen.first ?? 0) > 1)
        #expect(seen.last == 1)
    }

    @Test
    func aKeyOnceReplacedIsPreparedAgain() throws {
        let forge = Forges.hs256, token = forge.token(), set = forge.keySet
        let verdicts = Guarded<Set<String>>([])
        onThreads(1) { _ in
            let strangers = Self.makeKeys(300)
            for _ in 0..<3 {
                for _ in 0..<2 { _ = verdicts.withLock { $0.insert(TokenVerifier(keys: set, policy: .lenient).verdict(token)) } }
                Self.meet(strangers)
            }
        }
        #expect(verdicts.withLock { $0 } == ["valid"])
    }

    /// A new key may lie where a dead one lay: contexts are found by a number that is never given twice.
    @Test
    func aNewKeyNeverTakesADeadOnesContext() {
        let forge = Forges.es256, token = forge.token()
        let stranger = TokenForge(.es256).jwk
        let verdicts = Guarded<[String]>([])
        onThreads(1) { _ in
            for round in 0..<200 {
                let set = TokenForge.keySet([round % 2 == 0 ? forge.jwk : stranger])
                verdicts.withLock { $0.append(TokenVerifier(keys: set, policy: .lenient).verdict(token)) }
            }
        }
        #expect(verdicts.withLock { $0 } == (0..<200).map { $0 % 2 == 0 ? "valid" : "signature_invalid" })
    }

    @Test(arguments: Forges.available)
    func theReferencePathKeepsNothing(algorithm: SignatureAlgorithm) {
        let key = Forges.of(algorithm).keySet.keys[0]
        let count = Guarded(-1)
        onThreads(1) { _ in
            let message: [UInt8] = [1], signature = [UInt8](repeating: 0, count: 64)
            _ = SignatureEngine.verifyByReference(algorithm, key: key, message: message.span, signature: signature.span)
            count.withLock { $0 = cossl_thread_context_count() }
        }
        #expect(count.withLock { $0 } == 0)
    }
}
