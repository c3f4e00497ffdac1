internal import JWTCore

extension TestKey {
    /// The public key in PEM (SubjectPublicKeyInfo, RFC 5280 section 4.1.2.7); nil for an HMAC and for ML-DSA.
    public var publicPEM: String? {
        publicDocument.map { PEM.text("PUBLIC KEY", $0) }
    }

    /// The same in DER.
    var publicDocument: [UInt8]? { publicMembers.flatMap(SubjectPublicKeyInfo.document(of:)) }
}

/// A public key in DER, from the members of its JWK.
///
///     SubjectPublicKeyInfo ::= SEQUENCE { SEQUENCE { OID, parameters }, BIT STRING }
private enum SubjectPublicKeyInfo {
    static func document(of jwk: PrivateJWK) -> [UInt8]? {
        let curve = jwk.crv.flatMap(Curve.init(rawValue:))?.objectIdentifier
        let x = Base64URL.bytes(jwk.x), y = Base64URL.bytes(jwk.y)
        switch jwk.kty {
        case "EC":
            guard let curve, let x, let y else { return nil }
            // An uncompressed point (SEC 1 section 2.3.3).
            return wrap(PrivateKeyInfo.ecPublicKey, DER.element(DER.objectIdentifier, curve), [0x04] + x + y)
        case "OKP":
            guard let curve, let x else { return nil }
            return wrap(curve, [], x)
        case "RSA":
            guard let n = Base64URL.bytes(jwk.n), let e = Base64URL.bytes(jwk.e) else { return nil }
            return wrap(PrivateKeyInfo.rsaEncryption, DER.null, DER.element(DER.sequence, DER.unsigned(n) + DER.unsigned(e)))
        default: return nil
        }
    }

    private static func wrap(_ algorithm: [UInt8], _ parameters: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let identifier = DER.element(DER.sequence, DER.element(DER.objectIdentifier, algorithm) + parameters)
        // The first byte counts the unused bits of the last one.
        return DER.element(DER.sequence, identifier + DER.element(DER.bitString, [0] + key))
    }
}
