import COpenSSL
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

private let signedMessage = Array("header.payload".utf8)

/// The verdicts of the kernels, the openssl tier and the reference path, which must agree and leave no OpenSSL error behind.
private func verifies(
    _ algorithm: SignatureAlgorithm, _ key: VerificationKey, _ signature: [UInt8], of message: [UInt8] = signedMessage
) -> Bool {
    if let kernelKey = key.kernelKey, kernelKey.table?.isFull != true { KeyTables.shared.prepare(kernelKey) }
    let verdict = SignatureEngine.verify(algorithm, key: key, message: message.span, signature: signature.span)
    let byLibcrypto = SignatureEngine.verifyByLibcrypto(algorithm, key: key, message: message.span, signature: signature.span)
    let reference = SignatureEngine.verifyByReference(algorithm, key: key, message: message.span, signature: signature.span)
    if verdict != reference || verdict != byLibcrypto || cossl_error_queue_is_empty() != 1 {
        Issue.record("\(algorithm) says \(verdict), by reference \(reference); error queue empty: \(cossl_error_queue_is_empty())")
    }
    return verdict
}

struct SignatureEngineTests {
    /// Algorithms for which every bit is flipped; for the slow ones bits are sampled.
    private static let thorough: Set<SignatureAlgorithm> = [.es256, .edDSA, .hs256, .rs256]

    private func signed(
        _ algorithm: SignatureAlgorithm, _ message: [UInt8] = signedMessage
    ) throws -> (key: VerificationKey, signature: [UInt8]) {
        let forge = Forges.of(algorithm)
        return (forge.keySet.keys[0], try #require(forge.key.signature(of: message)))
    }

    @Test(arguments: Forges.available)
    func ownSignaturesVerifyAgainAndAgain(algorithm: SignatureAlgorithm) throws {
        for length in [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 640, 16_384] {
            let message = Array(repeating: UInt8(ascii: "m"), count: length)
            let (key, signature) = try signed(algorithm, message)
            for _ in 0..<3 { #expect(verifies(algorithm, key, signature, of: message)) }
            #expect(!verifies(algorithm, key, signature, of: message + [0]))
        }
    }

    @Test(arguments: Forges.available)
    func everyBitOfASignatureMatters(algorithm: SignatureAlgorithm) throws {
        let (key, signature) = try signed(algorithm)
        var accepted: [Int] = []
        for bit in stride(from: 0, to: 8 * signature.count, by: Self.thorough.contains(algorithm) ? 1 : 29) {
            var flipped = signature
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            if verifies(algorithm, key, flipped) { accepted.append(bit) }
        }
        #expect(accepted.isEmpty)
        #expect(verifies(algorithm, key, signature))
    }

    @Test(arguments: Forges.available)
    func everyBitOfAMessageMatters(algorithm: SignatureAlgorithm) throws {
        let (key, signature) = try signed(algorithm)
        for bit in stride(from: 0, to: 8 * signedMessage.count, by: 5) {
            var flipped = signedMessage
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!verifies(algorithm, key, signature, of: flipped))
        }
    }

    /// HAProxy's overflow of 2026 was an ES256 signature of 16 KiB: the length must be checked before any conversion.
    @Test(arguments: Forges.available)
    func signaturesOfAnyOtherLengthAreRefused(algorithm: SignatureAlgorithm) throws {
        let (key, signature) = try signed(algorithm)
        let lengths = [0, 1, 31, 32, 33, 63, 64, 65, 66, 95, 96, 97, 114, 128, 131, 132, 133, 255, 256, 257, 512, 16_384]
        for length in lengths + [signature.count - 1, signature.count + 1] where length != signature.count {
            let cut = Array(signature.prefix(length)), padding = Array(repeating: UInt8(0), count: length - cut.count)
            #expect(!verifies(algorithm, key, cut + padding))
            #expect(!verifies(algorithm, key, padding + cut))
            #expect(!verifies(algorithm, key, Array(repeating: 0, count: length)))
            #expect(!verifies(algorithm, key, Array(repeating: 0xff, count: length)))
        }
    }

    @Test(arguments: Forges.available)
    func constantsAreNoSignatures(algorithm: SignatureAlgorithm) throws {
        let (key, signature) = try signed(algorithm)
        for byte in [0x00, 0x01, 0x7f, 0x80, 0xff] as [UInt8] {
            #expect(!verifies(algorithm, key, Array(repeating: byte, count: signature.count)))
        }
    }

    @Test(arguments: Forges.available)
    func signaturesServeTheirAlgorithmAlone(algorithm: SignatureAlgorithm) throws {
        let (key, signature) = try signed(algorithm)
        for other in SignatureAlgorithm.all where !key.algorithms.contains(other) {
            #expect(!verifies(other, key, signature))
            if other.isAvailable { #expect(!verifies(other, Forges.of(other).keySet.keys[0], signature)) }
        }
    }

    /// RFC 2104 section 2: secrets longer than the hash's block are hashed first.
    @Test(arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func secretsOfEveryLengthServe(algorithm: SignatureAlgorithm) throws {
        for length in Array(64...200) + [255, 256, 512, 1_023, 1_024] {
            let secret = (0..<length).map { UInt8($0 & 0xff) }
            let key = try VerificationKey(secret: secret)
            let signature = try #require(SigningKey.secret(secret, algorithm: algorithm)?.signature(of: signedMessage))
            #expect(verifies(algorithm, key, signature))
            #expect(try !verifies(algorithm, VerificationKey(secret: [1] + secret.dropFirst()), signature))
        }
    }

    /// FIPS 180-4 section 5.1: what ends a message takes one block or two.
    @Test(arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func messagesOfEveryLengthServe(algorithm: SignatureAlgorithm) throws {
        for length in 0...300 {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let (key, signature) = try signed(algorithm, message)
            #expect(verifies(algorithm, key, signature, of: message))
            #expect(!verifies(algorithm, key, signature, of: message + [0]))
        }
    }

    @Test
    func sharedKeyMaterialStillSeparatesAlgorithms() throws {
        // One RSA key for all six algorithms: a signature also depends on the hash and the padding.
        let rsa = SignatureAlgorithm.all.filter { $0.name.hasPrefix("RS") || $0.name.hasPrefix("PS") }
        for signing in rsa {
            let forge = Forges.of(signing)
            let key = TokenForge.keySet([jwk(forge.members, ["alg": nil])]).keys[0]
            let signature = try #require(forge.key.signature(of: signedMessage))
            for verifying in rsa { #expect(verifies(verifying, key, signature) == (verifying == signing)) }
        }
    }
}
