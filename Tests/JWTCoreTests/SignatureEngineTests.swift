import COpenSSL
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

private let signedMessage = Array("header.payload".utf8)

/// What the engine says by its kernels, by the openssl tier and on the reference path, which must agree and leave no OpenSSL error behind.
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
    /// Those whose every bit is flipped; the slow ones' bits are sampled.
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

    /// HAProxy's overflow of 2026 was an ES256 signature of 16 KiB: lengths are judged before anything is converted.
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
        for other in Forges.available where !key.algorithms.contains(other) {
            #expect(!verifies(other, key, signature))
            #expect(!verifies(other, Forges.of(other).keySet.keys[0], signature))
        }
    }

    /// RFC 2104 section 2: secrets beyond the hash's block are hashed first.
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

    @Test
    func sharedKeyMaterialStillSeparatesAlgorithms() throws {
        // One RSA key for all six: the hash and the padding are part of what is verified.
        let rsa = SignatureAlgorithm.all.filter { $0.name.hasPrefix("RS") || $0.name.hasPrefix("PS") }
        for signing in rsa {
            let forge = Forges.of(signing)
            let key = TokenForge.keySet([jwk(forge.members, ["alg": nil])]).keys[0]
            let signature = try #require(forge.key.signature(of: signedMessage))
            for verifying in rsa { #expect(verifies(verifying, key, signature) == (verifying == signing)) }
        }
    }
}

/// The numbers r and s at the edges of their range. CVE-2022-21449: r = s = 0 once verified everything.
struct ECDSARangeTests {
    private static let orders: [SignatureAlgorithm: [UInt8]] = [
        .es256: hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
        .es384: hex("ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"),
        .es512: hex(
            "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"
        ),
        .es256k: hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
    ]

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .es256k])
    func onlyNumbersWithinTheOrderAreTried(algorithm: SignatureAlgorithm) throws {
        let forge = Forges.of(algorithm), key = forge.keySet.keys[0]
        let order = try #require(Self.orders[algorithm])
        let good = try #require(forge.key.signature(of: signedMessage))
        let width = order.count
        #expect(good.count == 2 * width)
        let edges = [
            Array(repeating: 0, count: width), Array(repeating: 0, count: width - 1) + [1], [0x80] + Array(repeating: 0, count: width - 1),
            order.added(255), order, order.added(1), Array(repeating: 0xff, count: width),
        ]
        var accepted: [[UInt8]] = []
        for r in edges + [Array(good.prefix(width))] {
            for s in edges + [Array(good.suffix(width))] where r + s != good {
                if verifies(algorithm, key, r + s) { accepted.append(r + s) }
            }
        }
        #expect(accepted.isEmpty)
        #expect(!verifies(algorithm, key, Array(good.suffix(width) + good.prefix(width))))
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .es256k])
    func signaturesInDEROrPaddedAreRefused(algorithm: SignatureAlgorithm) throws {
        let forge = Forges.of(algorithm), key = forge.keySet.keys[0]
        let good = try #require(forge.key.signature(of: signedMessage))
        var der = [UInt8](repeating: 0, count: 144)
        var length = 0
        #expect(unsafe cossl_ecdsa_to_der(&der, &length, good, good.count) == 1)
        #expect(!verifies(algorithm, key, Array(der.prefix(length))))
        #expect(!verifies(algorithm, key, Array(der.prefix(good.count))))
        let half = good.count / 2
        #expect(!verifies(algorithm, key, [0] + good.prefix(half) + [0] + good.suffix(half)))
        #expect(verifies(algorithm, key, good))
    }

    private static func hex(_ digits: String) -> [UInt8] {
        let padded = Array(digits)
        return stride(from: 0, to: padded.count, by: 2).compactMap { UInt8(String(padded[$0...$0 + 1]), radix: 16) }
    }
}

extension [UInt8] {
    /// This number with its last byte moved on, 255 being one back: none of the orders' last bytes overflows.
    fileprivate func added(_ number: UInt8) -> [UInt8] { dropLast() + [(last ?? 0) &+ number] }
}
