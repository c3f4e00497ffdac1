internal import COpenSSL
internal import JWTCore

/// The sender's public key, made for one token: `epk` (RFC 7518 section 4.6.1.1, RFC 8037 section 2).
package struct EphemeralKey {
    package let curve: AgreementCurve
    let x: [UInt8]
    /// Empty for X25519.
    let y: [UInt8]

    package init(_ curve: AgreementCurve, x: [UInt8], y: [UInt8]) {
        self.curve = curve
        self.x = x
        self.y = y
    }

    /// - Throws: `invalid_ephemeral_key` for another type or curve, and for coordinates that are not strict base64url.
    init(_ jwk: borrowing JSONValue) throws(VerificationError) {
        let curve = AgreementCurve.allCases.first { curve in
            (jwk["crv"]?.string?.equals(curve.rawValue) ?? false) && (jwk["kty"]?.string?.equals(curve.typeName) ?? false)
        }
        guard let curve, let x = Self.bytes(jwk, "x"), let y = curve == .x25519 ? [] : Self.bytes(jwk, "y") else {
            throw VerificationError(.invalidEphemeralKey)
        }
        self.init(curve, x: x, y: y)
    }

    private static func bytes(_ jwk: borrowing JSONValue, _ name: String) -> [UInt8]? {
        guard let text = jwk[name]?.string, !text.isEscaped else { return nil }
        return try? Base64URL.bytes(text.raw)
    }
}
