internal import COpenSSL

/// The public parts of a key, decoded: from a JWK or an imported document, judged by the same rules.
enum KeyMaterial {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case ec(KeyGroup, x: [UInt8], y: [UInt8])
    case raw(KeyGroup, [UInt8])
    case secret([UInt8])
}

extension KeyFacts {
    /// Takes the material in: notes kind, size and thumbprint, builds the libcrypto key, or says why not.
    mutating func adopt(_ material: KeyMaterial) {
        kernelMaterial = KernelMaterial(material)
        switch material {
        case .rsa(let modulus, let exponent):
            adoptRSA(Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }), modulus.first == 0)
        case .ec(let group, let x, let y): adoptEC(group, x, y)
        case .raw(let group, let bytes): adoptRaw(group, bytes)
        case .secret(let secret): adoptSecret(secret)
        }
        if handle == nil, refusal == nil { refusal = .invalidKey }
    }

    private mutating func adoptRSA(_ modulus: [UInt8], _ exponent: [UInt8], _ hasLeadingZeros: Bool) {
        bits = Self.bitCount(modulus)
        thumbprint = Self.thumbprint([("e", exponent), ("kty", nil), ("n", modulus)], kind: .rsa)
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

    private mutating func adoptEC(_ group: KeyGroup, _ x: [UInt8], _ y: [UInt8]) {
        bits = group.bits
        thumbprint = Self.thumbprint([("crv", Array(group.rawValue.utf8)), ("kty", nil), ("x", x), ("y", y)], kind: .ec)
        handle = OpenSSLKey(group: group, x: x, y: y)
    }

    private mutating func adoptRaw(_ group: KeyGroup, _ bytes: [UInt8]) {
        bits = group.bits
        let name = Array(group.rawValue.utf8)
        let isOKP = group.kind == .okp
        thumbprint = Self.thumbprint(
            isOKP ? [("crv", name), ("kty", nil), ("x", bytes)] : [("alg", name), ("kty", nil), ("pub", bytes)], kind: group.kind)
        guard cossl_group_available(group.openssl) == 1 else { return refuse(.unsupportedAlgorithm) }
        handle = OpenSSLKey(group: group, raw: bytes)
    }

    private mutating func adoptSecret(_ secret: [UInt8]) {
        bits = 8 * secret.count
        // No thumbprint: the digest of a shared secret says too much of it (RFC 7638 section 7).
        let shortest = algorithms.algorithms.map(\.row.secretLength).min() ?? KeyLimits.secretBytes.lowerBound
        guard secret.count >= shortest else { return refuse(.weakKey) }
        guard secret.count <= KeyLimits.secretBytes.upperBound else { return refuse(.invalidKey) }
        handle = OpenSSLKey(secret: secret)
    }

    private static func bitCount(_ number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return 8 * number.count - first.leadingZeroBitCount
    }

    /// RFC 7638 section 3: the required members alone, in the order of their names, without white space. `crv`, `alg` and `kty` are
    /// written as they are, the others in base64url.
    private static func thumbprint(_ members: [(name: String, bytes: [UInt8]?)], kind: KeyKind) -> String {
        let fields = members.map { name, bytes in
            guard let bytes else { return "\"kty\":\"\(kind.rawValue)\"" }
            let value = name == "crv" || name == "alg" ? bytes : Base64URL.encode(bytes)
            return "\"\(name)\":\"\(String(decoding: value, as: UTF8.self))\""
        }
        let document = Array("{\(fields.joined(separator: ","))}".utf8)
        return String(decoding: Base64URL.encode(Digest.sha256.bytes(of: document.span)), as: UTF8.self)
    }
}
