extension KeyFacts {
    /// Reads one JSON Web Key (RFC 7517). Never fails: what is wrong is in ``refusal``, and a key of an unknown kind fits no token.
    ///
    /// - Parameter purpose: what `use` has to be where it stands: `sig`, or what a profile of JWK Sets has in its place and requires.
    init(jwk: borrowing JanssonValue, purpose: String = "sig") {
        keyID = jwk["kid"]?.string
        kindName = jwk["kty"]?.string
        kind = kindName.flatMap { KeyKind(exactly: $0) }
        curveName = jwk["crv"]?.string
        algorithmName = jwk["alg"]?.string
        use = jwk["use"]?.string
        operations = jwk["key_ops"]?.strings
        group = Self.group(of: kind, curveName, algorithmName)
        algorithms = Self.algorithms(kind, group, bound: jwk["alg"] != nil, to: algorithmName)
        if algorithms.isEmpty { refuse(.keyAlgorithmMismatch) }
        if !isForVerifying(jwk, purpose) { refuse(.keyUseMismatch) }
        if jwk["kid"] != nil, keyID == nil { refuse(.invalidKey) }
        if let material = Self.material(jwk, kind, group) { adopt(material) } else { refuse(.invalidKey) }
        if Self.holdsPrivateMembers(jwk, kind) { advisories.append(.privateMaterial) }
    }

    private static func group(of kind: KeyKind?, _ curve: String?, _ algorithm: String?) -> KeyGroup? {
        let name = kind == .akp ? algorithm : curve
        guard let kind, let group = name.flatMap({ KeyGroup(exactly: $0) }), group.kind == kind else { return nil }
        return group
    }

    /// What `kty` and `crv` allow, narrowed to `alg` where the key has one. RFC 9864: on its own curve, EdDSA and the fully specified
    /// name are the same algorithm.
    private static func algorithms(_ kind: KeyKind?, _ group: KeyGroup?, bound: Bool, to name: String?) -> AlgorithmSet {
        guard let kind else { return [] }
        let fitting = AlgorithmSet(SignatureAlgorithm.all.filter { $0.fits(kind, group) })
        guard bound else { return fitting }
        guard let algorithm = name.flatMap(SignatureAlgorithm.init(name:)), fitting.contains(algorithm) else { return [] }
        return kind == .okp ? fitting : [algorithm]
    }

    /// RFC 7517 sections 4.2 and 4.3: absent, or naming signatures.
    private func isForVerifying(_ jwk: borrowing JanssonValue, _ purpose: String) -> Bool {
        if jwk["use"] != nil || purpose != "sig", !(use?.isExactly(purpose) ?? false) { return false }
        if jwk["key_ops"] != nil { return operations?.contains { $0.isExactly("verify") } ?? false }
        return true
    }

    private static func material(_ jwk: borrowing JanssonValue, _ kind: KeyKind?, _ group: KeyGroup?) -> KeyMaterial? {
        switch (kind, group) {
        case (.rsa, _):
            guard let n = bytes(jwk, "n"), let e = bytes(jwk, "e") else { return nil }
            return .rsa(modulus: n, exponent: e)
        case (.ec, let group?):
            guard let x = bytes(jwk, "x"), let y = bytes(jwk, "y") else { return nil }
            return .ec(group, x: x, y: y)
        case (.okp, let group?):
            guard let x = bytes(jwk, "x"), ownPairMatches(jwk, group, x) else { return nil }
            return .raw(group, x)
        case (.akp, let group?):
            return bytes(jwk, "pub").map { .raw(group, $0) }
        case (.oct, _):
            return bytes(jwk, "k").map { .secret($0) }
        default:
            return nil
        }
    }

    /// The bytes of a base64url member; nil if it is missing, no string or not strict.
    private static func bytes(_ jwk: borrowing JanssonValue, _ name: String) -> [UInt8]? {
        guard let text = jwk[name]?.utf8 else { return nil }
        return try? Base64URL.bytes(text.span)
    }

    private static func holdsPrivateMembers(_ jwk: borrowing JanssonValue, _ kind: KeyKind?) -> Bool {
        kind != .oct && ["d", "p", "q", "dp", "dq", "qi", "oth", "priv"].contains { jwk[$0] != nil }
    }
}
