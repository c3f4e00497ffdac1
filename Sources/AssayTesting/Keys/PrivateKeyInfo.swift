internal import JWTCore

/// A private key in PKCS#8 (RFC 5958), as libcrypto reads and writes it, taken apart into the members of a JWK.
///
///     PrivateKeyInfo ::= SEQUENCE { INTEGER 0, SEQUENCE { OID, parameters }, OCTET STRING }
///
/// The octets are an ECPrivateKey (RFC 5915), an RSAPrivateKey (RFC 8017 section A.1.2) or a CurvePrivateKey (RFC 8410).
enum PrivateKeyInfo {
    static let ecPublicKey: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    static let rsaEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]

    /// Fills in the private members of `jwk`, whose public members are there. Returns false for a document that is no such key.
    static func read(_ document: [UInt8], into jwk: inout PrivateJWK) -> Bool {
        var outer = DERReader(document)
        guard var info = outer.inside(DER.sequence), info.contents(DER.integer) != nil, info.contents(DER.sequence) != nil,
            var key = info.inside(DER.octetString)
        else { return false }
        switch jwk.kty {
        case "EC":
            guard var parts = key.inside(DER.sequence), parts.contents(DER.integer) != nil, let d = parts.contents(DER.octetString) else {
                return false
            }
            jwk.d = Base64URL.text(d)
        case "OKP":
            guard let d = key.contents(DER.octetString) else { return false }
            jwk.d = Base64URL.text(d)
        case "RSA":
            guard var parts = key.inside(DER.sequence), parts.contents(DER.integer) != nil else { return false }
            for member in PrivateJWK.rsaMembers {
                guard let number = parts.contents(DER.integer) else { return false }
                jwk[keyPath: member] = Base64URL.text(number.drop { $0 == 0 })
            }
        default: return false
        }
        return true
    }

    /// The document of a JWK; nil if a member is missing or the type is unknown.
    static func document(of jwk: PrivateJWK) -> [UInt8]? {
        switch jwk.kty {
        case "EC":
            guard let curve = jwk.crv.flatMap(Curve.init(rawValue:))?.objectIdentifier, let d = Base64URL.bytes(jwk.d) else { return nil }
            // Without the public key: libcrypto then computes it.
            let key = DER.element(DER.sequence, DER.element(DER.integer, [1]) + DER.element(DER.octetString, d))
            return wrap(ecPublicKey, DER.element(DER.objectIdentifier, curve), key)
        case "OKP":
            guard let curve = jwk.crv.flatMap(Curve.init(rawValue:))?.objectIdentifier, let d = Base64URL.bytes(jwk.d) else { return nil }
            return wrap(curve, [], DER.element(DER.octetString, d))
        case "RSA":
            let numbers = PrivateJWK.rsaMembers.compactMap { Base64URL.bytes(jwk[keyPath: $0]) }
            guard numbers.count == PrivateJWK.rsaMembers.count else { return nil }
            return wrap(rsaEncryption, DER.null, DER.element(DER.sequence, ([[0]] + numbers).flatMap(DER.unsigned)))
        default: return nil
        }
    }

    private static func wrap(_ algorithm: [UInt8], _ parameters: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let identifier = DER.element(DER.sequence, DER.element(DER.objectIdentifier, algorithm) + parameters)
        return DER.element(DER.sequence, DER.element(DER.integer, [0]) + identifier + DER.element(DER.octetString, key))
    }
}

extension Curve {
    /// The contents of its object identifier: RFC 5480 section 2.1.1.1, SEC 2, RFC 8410 section 3.
    var objectIdentifier: [UInt8]? {
        switch self {
        case .p256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        case .p384: [0x2b, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x2b, 0x81, 0x04, 0x00, 0x23]
        case .secp256k1: [0x2b, 0x81, 0x04, 0x00, 0x0a]
        case .ed25519: [0x2b, 0x65, 0x70]
        case .ed448: [0x2b, 0x65, 0x71]
        case .mlDSA44, .mlDSA65, .mlDSA87: nil
        }
    }
}
