internal import COpenSSL

extension KeyFacts {
    /// Records the material's type, size and thumbprint, and builds the libcrypto key or records the reason why it cannot.
    mutating func adopt(_ material: KeyMaterial) {
        kernelMaterial = KernelMaterial(material)
        switch material {
        case .rsa(let modulus, let exponent):
            adoptRSA(Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }), modulus.first == 0)
        case .ec(let curve, let x, let y): adoptEC(curve, x, y)
        case .raw(let curve, let bytes): adoptRaw(curve, bytes)
        case .secret(let secret): adoptSecret(secret)
        }
        // Without its algorithms libcrypto makes no key, whatever the key is.
        if handle == nil, unusableReason == nil { unusableReason = Libcrypto.isUsable ? .invalidKey : .keysUnavailable }
    }

    private mutating func adoptRSA(_ modulus: [UInt8], _ exponent: [UInt8], _ hasLeadingZeros: Bool) {
        bits = Self.bitCount(modulus)
        thumbprint = Self.thumbprint([("e", exponent), ("kty", nil), ("n", modulus)], type: .rsa)
        if hasLeadingZeros { advisories.append(.leadingZeros) }
        guard bits >= KeyLimits.rsaBits.lowerBound else { return refuse(.weakKey) }
        guard bits <= KeyLimits.rsaBits.upperBound, modulus.last.map({ $0 & 1 == 1 }) ?? false else { return refuse(.invalidKey) }
        let exponentBits = Self.bitCount(exponent)
        guard exponentBits >= 2, exponentBits <= KeyLimits.exponentBits, exponent.last.map({ $0 & 1 == 1 }) ?? false else {
            return refuse(.invalidKey)
        }
        if exponentBits < 17 { advisories.append(.smallExponent) }
        handle = OpenSSLKey(modulus: modulus, exponent: exponent)
    }

    private mutating func adoptEC(_ curve: Curve, _ x: [UInt8], _ y: [UInt8]) {
        bits = curve.bits
        thumbprint = Self.thumbprint([("crv", Array(curve.rawValue.utf8)), ("kty", nil), ("x", x), ("y", y)], type: .ec)
        handle = OpenSSLKey(curve: curve, x: x, y: y)
    }

    private mutating func adoptRaw(_ curve: Curve, _ bytes: [UInt8]) {
        bits = curve.bits
        let name = Array(curve.rawValue.utf8)
        let isOKP = curve.type == .okp
        thumbprint = Self.thumbprint(
            isOKP ? [("crv", name), ("kty", nil), ("x", bytes)] : [("alg", name), ("kty", nil), ("pub", bytes)], type: curve.type)
        guard cossl_group_available(curve.openssl) == 1 else { return refuse(.unsupportedAlgorithm) }
        // libcrypto decodes what RFC 8032 refuses.
        guard curve != .ed25519 || Self.isCanonicalEd25519(bytes) else { return refuse(.invalidKey) }
        handle = OpenSSLKey(curve: curve, raw: bytes)
    }

    /// Whether RFC 8032 section 5.1.3 decodes the encoding: y is below 2^255 − 19, and where x is zero, for y = 1 and y = −1, its sign is too.
    private static func isCanonicalEd25519(_ encoding: [UInt8]) -> Bool {
        guard encoding.count == 32, let lowest = encoding.first, let highest = encoding.last else { return false }
        let middle = encoding[1..<31], isNegative = highest & 0x80 != 0
        if highest & 0x7f == 0x7f, middle.allSatisfy({ $0 == 0xff }), lowest >= (isNegative ? 0xec : 0xed) { return false }
        return !(isNegative && highest == 0x80 && lowest == 1 && middle.allSatisfy { $0 == 0 })
    }

    private mutating func adoptSecret(_ secret: [UInt8]) {
        bits = 8 * secret.count
        // No thumbprint: the digest of a shared secret reveals too much about it (RFC 7638 section 7).
        let shortest = algorithms.algorithms.map(\.row.secretLength).min() ?? KeyLimits.secretBytes.lowerBound
        guard secret.count >= shortest else { return refuse(.weakKey) }
        guard secret.count <= KeyLimits.secretBytes.upperBound else { return refuse(.invalidKey) }
        handle = OpenSSLKey(secret: secret)
    }

    private static func bitCount(_ number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return 8 * number.count - first.leadingZeroBitCount
    }

    /// RFC 7638 section 3: only the required members, in the order of their names, without white space. `crv`, `alg` and `kty` are written
    /// as they are, the others in base64url.
    private static func thumbprint(_ members: [(name: String, bytes: [UInt8]?)], type: KeyType) -> String {
        let fields = members.map { name, bytes in
            guard let bytes else { return "\"kty\":\"\(type.rawValue)\"" }
            let value = name == "crv" || name == "alg" ? bytes : Base64URL.encode(bytes)
            return "\"\(name)\":\"\(String(decoding: value, as: UTF8.self))\""
        }
        let document = Array("{\(fields.joined(separator: ","))}".utf8)
        return String(decoding: Base64URL.encode(Digest.sha256.bytes(of: document.span)), as: UTF8.self)
    }
}
