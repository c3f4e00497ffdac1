import COpenSSL
import JWTCore
import JWTSigning
import JWTTestSupport
import Locks
import Testing

/// The per-thread contexts of keys. Each test has its own thread, whose memory starts empty.
struct KeyContextTests {
    /// Ed25519 keys of any bytes: they are prepared even if they are not points.
    private static func makeKeys(_ count: Int) -> [VerificationKey] {
        let prefix: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        return (0..<count).compactMap { number in
            try? VerificationKey(importing: (prefix + [UInt8(number & 0xff), UInt8(number >> 8)] + Array(repeating: 7, count: 30)).span)
        }
    }

    /// Verifies with each key on the calling thread; the signature need not be valid.
    private static func meet(_ keys: [VerificationKey]) {
        let message = [UInt8](repeating: 1, count: 16), signature = [UInt8](repeating: 0, count: 64)
        for key in keys { _ = SignatureEngine.verifyByLibcrypto(.edDSA, key: key, message: message.span, signature: signature.span) }
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
        let forge = Forges.ed25519, token = forge.token(), set = forge.keySet
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

    /// A new key may have the address of a freed one: contexts are found by a number that is never reused.
    @Test
    func aNewKeyNeverTakesADeadOnesContext() {
        let forge = Forges.ed25519, token = forge.token()
        let stranger = TokenForge(.ed25519).jwk
        let verdicts = Guarded<[String]>([])
        onThreads(1) { _ in
            for round in 0..<200 {
                let set = TokenForge.keySet([round % 2 == 0 ? forge.jwk : stranger])
                verdicts.withLock { $0.append(TokenVerifier(keys: set, policy: .lenient).verdict(token)) }
            }
        }
        #expect(verdicts.withLock { $0 } == (0..<200).map { $0 % 2 == 0 ? "valid" : "signature_invalid" })
    }

    /// RSA with e = 65537, ECDSA and HMAC are prepared once per key, for all threads.
    @Test(arguments: Forges.available)
    func aThreadKeepsNoMoreThanOneContextOfAKey(algorithm: SignatureAlgorithm) {
        let forge = Forges.of(algorithm), key = forge.keySet.keys[0], message: [UInt8] = [1, 2, 3]
        let signature = forge.key.signature(of: message) ?? []
        let count = Guarded(-1)
        onThreads(1) { _ in
            for _ in 0..<5 {
                let isGood = SignatureEngine.verifyByLibcrypto(algorithm, key: key, message: message.span, signature: signature.span)
                #expect(isGood)
            }
            count.withLock { $0 = cossl_thread_context_count() }
        }
        let isSharedByThreads = algorithm.isSymmetric || ["RS", "PS", "ES"].contains { algorithm.name.hasPrefix($0) }
        #expect(count.withLock { $0 } == (isSharedByThreads ? 0 : 1))
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
