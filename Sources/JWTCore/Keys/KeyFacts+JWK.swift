extension KeyFacts {
    /// Reads one JSON Web Key (RFC 7517). Never fails: ``unusableReason`` gives the defect, and a key of an unknown type fits no token.
    ///
    /// - Parameter purpose: the required value of `use` if it is present: `sig`, or the value that a profile of JWK Sets always requires.
    init(jwk: borrowing JSONElement, purpose: String = "sig") {
        keyID = jwk["kid"]?.string
        typeName = jwk["kty"]?.string
        type = typeName.flatMap { KeyType(exactly: $0) }
        curveName = jwk["crv"]?.string
        algorithmName = jwk["alg"]?.string
        use = jwk["use"]?.string
        operations = jwk["key_ops"]?.strings
        curve = Self.curve(of: type, curveName, algorithmName)
        algorithms = Self.algorithms(type, curve, bound: jwk["alg"] != nil, to: algorithmName)
        if algorithms.isEmpty { refuse(.keyAlgorithmMismatch) }
        if !isForVerifying(jwk, purpose) { refuse(.keyUseMismatch) }
        if jwk["kid"] != nil, keyID == nil { refuse(.invalidKey) }
        if let material = Self.material(jwk, type, curve) { adopt(material) } else { refuse(.invalidKey) }
        if Self.holdsPrivateMembers(jwk, type) { advisories.append(.privateMaterial) }
    }

    private static func curve(of type: KeyType?, _ curve: String?, _ algorithm: String?) -> Curve? {
        let name = type == .akp ? algorithm : curve
        guard let type, let curve = name.flatMap({ Curve(exactly: $0) }), curve.type == type else { return nil }
        return curve
    }

    /// The algorithms that `kty` and `crv` allow, narrowed to `alg` if the key has one. RFC 9864: for a given curve, EdDSA and the fully
    /// specified name are the same algorithm.
    private static func algorithms(_ type: KeyType?, _ curve: Curve?, bound: Bool, to name: String?) -> AlgorithmSet {
        guard let type else { return [] }
        let fitting = AlgorithmSet(SignatureAlgorithm.all.filter { $0.fits(type, curve) })
        guard bound else { return fitting }
        guard let algorithm = name.flatMap(SignatureAlgorithm.init(name:)), fitting.contains(algorithm) else { return [] }
        return type == .okp ? fitting : [algorithm]
    }

    /// RFC 7517 sections 4.2 and 4.3: absent, or for signatures.
    private func isForVerifying(_ jwk: borrowing JSONElement, _ purpose: String) -> Bool {
        if jwk["use"] != nil || purpose != "sig", !(use?.isExactly(purpose) ?? false) { return false }
        if jwk["key_ops"] != nil { return operations?.contains { $0.isExactly("verify") } ?? false }
        return true
    }

    private static func material(_ jwk: borrowing JSONElement, _ type: KeyType?, _ curve: Curve?) -> KeyMaterial? {
        switch (type, curve) {
        case (.rsa, _):
            guard let n = bytes(jwk, "n"), let e = bytes(jwk, "e") else { return nil }
            return .rsa(modulus: n, exponent: e)
        case (.ec, let curve?):
            guard let x = bytes(jwk, "x"), let y = bytes(jwk, "y") else { return nil }
            return .ec(curve, x: x, y: y)
        case (.okp, let curve?):
            guard let x = bytes(jwk, "x"), ownPairMatches(jwk, curve, x) else { return nil }
            return .raw(curve, x)
        case (.akp, let curve?):
            return bytes(jwk, "pub").map { .raw(curve, $0) }
        case (.oct, _):
            return bytes(jwk, "k").map { .secret($0) }
        default:
            return nil
        }
    }

    /// The bytes of a base64url member; nil if it is missing, not a string or not strict base64url.
    private static func bytes(_ jwk: borrowing JSONElement, _ name: String) -> [UInt8]? {
        guard let text = jwk[name]?.utf8 else { return nil }
        return try? Base64URL.bytes(text.span)
    }

    private static func holdsPrivateMembers(_ jwk: borrowing JSONElement, _ type: KeyType?) -> Bool {
        type != .oct && ["d", "p", "q", "dp", "dq", "qi", "oth", "priv"].contains { jwk[$0] != nil }
    }
}
