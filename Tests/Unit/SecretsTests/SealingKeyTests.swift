internal import Secrets
internal import Testing

struct SealingKeyTests {
    struct Vector: Sendable {
        let key: String
        let nonce: String
        let plaintext: String
        let context: String
        let ciphertext: String
        let tag: String
    }

    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let zeros = String(repeating: "0", count: 64)
    private static let text =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    private static let enciphered =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"

    /// McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13 to 16: NIST's submission.
    static let vectors = [
        Vector(
            key: zeros, nonce: String(repeating: "0", count: 24), plaintext: "", context: "", ciphertext: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: zeros, nonce: String(repeating: "0", count: 24), plaintext: String(repeating: "0", count: 32), context: "",
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: key, nonce: "cafebabefacedbaddecaf888", plaintext: text + "1aafd255", context: "", ciphertext: enciphered + "898015ad",
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: key, nonce: "cafebabefacedbaddecaf888", plaintext: text, context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertext: enciphered, tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: vectors)
    func aes256GCMOfNISTsVectorsBehindVersionAndNonce(vector: Vector) throws {
        let key = try #require(SealingKey(bytes(vector.key)))
        let nonce = Randomness { _ in bytes(vector.nonce) }
        let sealed = try #require(key.seal(bytes(vector.plaintext), context: bytes(vector.context), randomness: nonce))
        #expect(sealed.hexadecimal == "01" + vector.nonce + vector.ciphertext + vector.tag)
        #expect(key.open(sealed, context: bytes(vector.context)) == bytes(vector.plaintext))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1_000, 100_000])
    func whatWasSealedOpens(length: Int) throws {
        let key = try #require(SealingKey(Randomness.system.bytes(32)))
        let text = Randomness.system.bytes(length)
        let sealed = try #require(key.seal(text, context: [1, 2], randomness: .system))
        #expect(key.open(sealed, context: [1, 2]) == text)
        #expect(sealed != key.seal(text, context: [1, 2], randomness: .system))
    }

    @Test
    func aChangeOfAnyBitACutAnywhereAndAByteMoreRefuse() throws {
        let key = try #require(SealingKey(Randomness.system.bytes(32)))
        let sealed = try #require(key.seal(Array("a private key".utf8), context: [3], randomness: .system))
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << bit
                #expect(key.open(changed, context: [3]) == nil, "byte \(index), bit \(bit)")
            }
            #expect(key.open(Array(sealed.prefix(index)), context: [3]) == nil, "cut to \(index)")
        }
        #expect(key.open(sealed + [0], context: [3]) == nil)
        #expect(key.open(sealed, context: [3]) != nil)
    }

    @Test
    func anotherContextAndAnotherKeyRefuse() throws {
        let key = try #require(SealingKey(Randomness.system.bytes(32)))
        let other = try #require(SealingKey(Randomness.system.bytes(32)))
        let sealed = try #require(key.seal([1, 2, 3], context: [3], randomness: .system))
        for context in [[], [4], [3, 0], [0, 3]] as [[UInt8]] { #expect(key.open(sealed, context: context) == nil) }
        #expect(other.open(sealed, context: [3]) == nil)
    }

    @Test(arguments: [0, 16, 31, 33])
    func aKeyHas32Bytes(length: Int) { #expect(SealingKey([UInt8](repeating: 1, count: length)) == nil) }
}
