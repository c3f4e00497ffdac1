import CErrorQueue
import COpenSSL
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// libcrypto's bare operations: those that the benchmarks compare with, and the conversions around them.
struct BareOperationTests {
    private static let message = Array("header.payload".utf8)

    /// What the operation takes: a digest, or for EdDSA, ML-DSA and HMAC the message.
    private static func input(_ row: SignatureAlgorithm.Row, _ message: [UInt8]) -> [UInt8] {
        if [COSSL_SCHEME_EDDSA, COSSL_SCHEME_MLDSA, COSSL_SCHEME_HMAC].contains(row.scheme) { return message }
        var digest = [UInt8](repeating: 0, count: cossl_digest_length(row.digest))
        return unsafe cossl_digest_bytes(&digest, row.digest, message, message.count) == 1 ? digest : []
    }

    /// ECDSA takes DER.
    private static func signature(_ row: SignatureAlgorithm.Row, _ signature: [UInt8]) -> [UInt8] {
        guard row.scheme == COSSL_SCHEME_ECDSA else { return signature }
        var der = [UInt8](repeating: 0, count: 144), length = 0
        return unsafe cossl_ecdsa_to_der(&der, &length, signature, signature.count) == 1 ? Array(der.prefix(length)) : []
    }

    @Test(arguments: Forges.available)
    func theBareOperationAcceptsItsOwnSignatureAlone(algorithm: SignatureAlgorithm) throws {
        let forge = Forges.of(algorithm), row = algorithm.row, handle = try #require(forge.keySet.keys[0].handle)
        let raw = try unsafe #require(unsafe handle.makeRaw(row))
        defer {
            unsafe cossl_raw_free(raw)
            // The bare operation is libcrypto's alone, with the errors that it leaves.
            cerror_queue_clear()
        }
        let signed = try #require(forge.key.signature(of: Self.message))
        let input = Self.input(row, Self.message), good = Self.signature(row, signed)
        let bad = Self.signature(row, Array(signed.dropLast()) + [signed[signed.count - 1] ^ 1])
        let other = Self.input(row, Self.message + [0])
        for (signature, input, isValid) in [(good, input, true), (bad, input, false), (good, other, false), (good, input, true)] {
            #expect(unsafe (cossl_raw_verify(raw, signature, signature.count, input, input.count) == 1) == isValid)
        }
    }

    @Test(arguments: Forges.available)
    func aKeyHasNoBareOperationOfAnotherScheme(algorithm: SignatureAlgorithm) throws {
        let key = Forges.of(algorithm).keySet.keys[0], handle = try #require(key.handle)
        for other in SignatureAlgorithm.all where other.row.type != algorithm.row.type {
            #expect(unsafe handle.makeRaw(other.row) == nil, "\(other)")
        }
    }

    @Test(arguments: [0, 1, 63, 65, 131, 133, 134, 144, 1_024])
    func onlyTwoNumbersOfEqualLengthHaveADERForm(length: Int) {
        var der = [UInt8](repeating: 0, count: 144), derLength = 0
        let signature = [UInt8](repeating: 1, count: length)
        #expect(unsafe cossl_ecdsa_to_der(&der, &derLength, signature, length) == 0)
    }

    /// From 128 bytes on, a length has a byte of its own in front (X.690 section 8.1.3.5).
    @Test(arguments: [(61, [0x30, 0x7e, 0x02, 0x3d]), (62, [0x30, 0x81, 0x80, 0x02, 0x3e]), (66, [0x30, 0x81, 0x88, 0x02, 0x42])])
    func aLongDERFormHasALongLength(digits: Int, head: [UInt8]) {
        let number = [UInt8](repeating: 0, count: 66 - digits) + [UInt8](repeating: 1, count: digits)
        #expect(Self.signature(SignatureAlgorithm.es512.row, number + number).starts(with: head))
    }

    /// RFC 8017 section 9.2 for SHA-256: valid, but 1,024 bits are too few.
    @Test(arguments: [(256, 1), (255, 0), (128, 0)] as [(Int, Int32)])
    func anEncodingNeedsAModulusOf2048Bits(length: Int, verdict: Int32) {
        let identifier: [UInt8] = [0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 32]
        let hash = [UInt8](repeating: 7, count: 32)
        let encoded = [0, 1] + Array(repeating: 0xff, count: length - 3 - identifier.count - 32) + [0] + identifier + hash
        #expect(unsafe cossl_rsa_padding_matches(COSSL_SCHEME_RSA_PKCS1, COSSL_DIGEST_SHA256, hash, encoded, length) == verdict)
    }

    /// The same without an identifier of a hash, and without the hash.
    @Test(arguments: [COSSL_DIGEST_NONE, COSSL_DIGEST_SHAKE256_114])
    func anEncodingNeedsAHashOfRSA(digest: cossl_digest) {
        let encoded: [UInt8] = [0, 1] + Array(repeating: 0xff, count: 234) + Array(repeating: 0, count: 20)
        let hash = [UInt8](repeating: 0, count: 114)
        for scheme in [COSSL_SCHEME_RSA_PKCS1, COSSL_SCHEME_RSA_PSS] {
            #expect(unsafe cossl_rsa_padding_matches(scheme, digest, hash, encoded, encoded.count) == 0)
        }
    }
}
