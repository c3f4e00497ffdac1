internal import COpenSSL
import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Compares the prepared path of every algorithm with libcrypto's plain one, on Wycheproof's valid and invalid signatures (`assay
/// conformance` checks their labels) and on Ed25519's corner cases.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct EnginePathTests {
    @Test(arguments: [
        ("rsa_signature_2048_sha256", SignatureAlgorithm.rs256, 259, 9), ("rsa_signature_2048_sha384", .rs384, 258, 7),
        ("rsa_signature_3072_sha256", .rs256, 259, 8), ("rsa_signature_3072_sha512", .rs512, 260, 8),
        ("rsa_signature_4096_sha384", .rs384, 259, 7), ("rsa_signature_4096_sha512", .rs512, 259, 7),
        ("rsa_pss_2048_sha256_mgf1_0", .ps256, 103, 1), ("rsa_pss_2048_sha256_mgf1_32", .ps256, 108, 63),
        ("rsa_pss_2048_sha384_mgf1_48", .ps384, 141, 95), ("rsa_pss_4096_sha512_mgf1_64", .ps512, 179, 132),
        ("ecdsa_secp256r1_sha256_p1363", .es256, 262, 173), ("ecdsa_secp521r1_sha512_p1363", .es512, 318, 231),
        ("ecdsa_secp256k1_sha256_p1363", .es256k, 252, 167), ("ed25519", .edDSA, 151, 88), ("ed25519", .ed25519, 151, 88),
        ("hmac_sha256", .hs256, 174, 30), ("hmac_sha384", .hs384, 174, 30),
        ("mldsa_44_verify", .mlDSA44, 180, 75), ("mldsa_65_verify", .mlDSA65, 210, 77),
    ])
    func pathsAgree(name: String, algorithm: SignatureAlgorithm, count: Int, good: Int) {
        let groups = ConformanceInput.object("wycheproof/\(name)_test.json")["testGroups"] as? [[String: Any]] ?? []
        var verdicts: [Bool] = []
        for group in groups {
            let shared = Self.key(group, algorithm)
            if let kernelKey = shared?.kernelKey { KeyTables.shared.prepare(kernelKey) }
            for test in group["tests"] as? [[String: Any]] ?? [] {
                let key = shared ?? ConformanceInput.hex(test["key"]).flatMap { try? VerificationKey(secret: $0) }
                let message = ConformanceInput.hex(test["msg"]) ?? [], signature = ConformanceInput.hex(test["sig"] ?? test["tag"]) ?? []
                let isGood = Self.isGood(algorithm, key, message, signature)
                #expect(isGood == Self.isGoodByReference(algorithm, key, message, signature), "tcId \(test["tcId"] ?? "?")")
                verdicts.append(isGood)
            }
        }
        #expect(verdicts.count == count)
        #expect(cossl_error_queue_is_empty() == 1)
        #expect(verdicts.count { $0 } == (algorithm.isAvailable ? good : 0))
    }

    /// From the DER document of a group with public keys, or from the bytes of an AKP key; nil for HMAC.
    private static func key(_ group: [String: Any], _ algorithm: SignatureAlgorithm) -> VerificationKey? {
        if let der = ConformanceInput.hex(group["publicKeyDer"]), let key = try? VerificationKey(importing: der.span) { return key }
        guard algorithm.row.type == .akp, let raw = ConformanceInput.hex(group["publicKey"]) else { return nil }
        let jwk = ["kty": "AKP", "alg": algorithm.name, "pub": ConformanceInput.encoded(raw)]
        return Keys(document: ConformanceInput.document(jwk)).list.first
    }

    private static func isGood(_ algorithm: SignatureAlgorithm, _ key: VerificationKey?, _ message: [UInt8], _ signature: [UInt8]) -> Bool {
        guard let key else { return false }
        return SignatureEngine.verify(algorithm, key: key, message: message.span, signature: signature.span)
    }

    private static func isGoodByReference(
        _ algorithm: SignatureAlgorithm, _ key: VerificationKey?, _ message: [UInt8], _ signature: [UInt8]
    ) -> Bool {
        guard let key else { return false }
        return SignatureEngine.verifyByReference(algorithm, key: key, message: message.span, signature: signature.span)
    }

    /// C2SP CCTV: cases in which implementations of Ed25519 differ. OpenSSL refuses a non-canonical R and signatures that are valid only
    /// after multiplication by the cofactor, and accepts the rest, including points of low order. A non-canonical key is refused before
    /// OpenSSL sees it (RFC 8032 section 5.1.3). Any change here must be deliberate.
    @Test(arguments: [SignatureAlgorithm.edDSA, .ed25519])
    func ed25519CornerCasesAreOpenSSLs(algorithm: SignatureAlgorithm) {
        let vectors = ConformanceInput.list("ed25519/cctv_ed25519vectors.json")
        var accepted: [Set<String>] = []
        for vector in vectors {
            let flags = Set(vector["flags"] as? [String] ?? [])
            let x = ConformanceInput.encoded(ConformanceInput.hex(vector["key"]) ?? [])
            let key = Keys(document: ConformanceInput.document(["kty": "OKP", "crv": "Ed25519", "x": x])).list.first
            if let kernelKey = key?.kernelKey { KeyTables.shared.prepare(kernelKey) }
            let message = Array((vector["msg"] as? String ?? "").utf8), signature = ConformanceInput.hex(vector["sig"]) ?? []
            let isGood = Self.isGood(algorithm, key, message, signature)
            let refused: Set = ["non_canonical_R", "low_order_residue", "non_canonical_A"]
            #expect(isGood == flags.isDisjoint(with: refused), "\(vector["number"] ?? "?")")
            #expect(isGood == Self.isGoodByReference(algorithm, key, message, signature), "\(vector["number"] ?? "?")")
            if isGood { accepted.append(flags) }
        }
        #expect(vectors.count == 914)
        #expect(accepted.count == 172)
    }
}
