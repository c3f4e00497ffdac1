internal import COpenSSL

extension VerificationKey {
    /// Reads a public key from PEM (`PUBLIC KEY`, `RSA PUBLIC KEY`, `CERTIFICATE`; the first block counts) or DER
    /// (SubjectPublicKeyInfo, Certificate, PKCS#1). A certificate is a container for its key here: neither its dates nor its
    /// issuer are looked at. Private keys are refused.
    ///
    /// - Parameters:
    ///   - document: PEM text or DER bytes, one MiB at most.
    ///   - keyID: the name to give the key.
    ///   - algorithm: binds the key to one algorithm; nil leaves all that fit its type.
    /// - Throws: `invalid_key`, `weak_key`, `unsupported_algorithm`; `key_algorithm_mismatch` where `algorithm` does not fit.
    public convenience init(
        importing document: Span<UInt8>, keyID: String? = nil, algorithm: SignatureAlgorithm? = nil
    ) throws(VerificationError) {
        guard let material = KeyMaterial(importing: document) else { throw VerificationError(.invalidKey) }
        self.init(try KeyFacts(material, keyID: keyID, algorithm: algorithm))
    }

    /// The same, from PEM text.
    public convenience init(pem: String, keyID: String? = nil, algorithm: SignatureAlgorithm? = nil) throws(VerificationError) {
        try self.init(importing: pem.utf8.span, keyID: keyID, algorithm: algorithm)
    }

    /// A shared secret for HMAC, at least as long as the hash (RFC 7518 section 3.2). It can never be made from a public key's
    /// document: those are ``init(importing:keyID:algorithm:)``'s.
    ///
    /// - Throws: `weak_key` below 32 bytes, `invalid_key` above 1,024.
    public convenience init(
        secret: [UInt8], keyID: String? = nil, algorithm: SignatureAlgorithm? = nil
    ) throws(VerificationError) {
        self.init(try KeyFacts(.secret(secret), keyID: keyID, algorithm: algorithm))
    }
}

extension KeyFacts {
    fileprivate init(_ material: KeyMaterial, keyID: String?, algorithm: SignatureAlgorithm?) throws(VerificationError) {
        self.keyID = keyID
        (kind, group) = material.kindAndGroup
        kindName = kind?.rawValue
        algorithmName = algorithm?.name
        if let group, group.kind != .akp { curveName = group.rawValue }
        for candidate in SignatureAlgorithm.all where kind.map({ candidate.fits($0, group) }) ?? false {
            if algorithm == nil || candidate == algorithm { algorithms.insert(candidate) }
        }
        if algorithms.isEmpty { throw VerificationError(.keyAlgorithmMismatch) }
        adopt(material)
        if let refusal { throw VerificationError(refusal) }
    }

    /// RFC 8037 section 2: a JWK that brings `d` along must mean the same key by it.
    static func ownPairMatches(_ jwk: borrowing JanssonValue, _ group: KeyGroup, _ x: [UInt8]) -> Bool {
        guard jwk["d"] != nil else { return true }
        guard let text = jwk["d"]?.utf8, let d = try? Base64URL.bytes(text.span) else { return false }
        return unsafe cossl_okp_pair_matches(group.openssl, d, d.count, x, x.count) == 1
    }
}

extension KeyMaterial {
    /// Reads PEM or DER; nil if it holds no public key of a known kind.
    fileprivate init?(importing document: Span<UInt8>) {
        var parts = unsafe cossl_components()
        let isGood = unsafe document.withUnsafeBufferPointer { unsafe cossl_import_public_key(&parts, $0.baseAddress, $0.count) }
        guard isGood == 1 else { return nil }
        defer { unsafe cossl_components_free(&parts) }
        unsafe self.init(parts)
    }

    /// Copies what COpenSSL took from a document.
    @unsafe
    private init?(_ parts: cossl_components) {
        // SAFETY: COpenSSL gives each part with its own length.
        let first = unsafe Array(UnsafeBufferPointer(start: parts.first, count: parts.first_len))
        let second = unsafe Array(UnsafeBufferPointer(start: parts.second, count: parts.second_len))
        switch (unsafe KeyKind(parts.kind), unsafe KeyGroup(parts.group)) {
        case (.rsa, _): self = .rsa(modulus: first, exponent: second)
        case (.ec, let group?): self = .ec(group, x: first, y: second)
        case (.okp, let group?), (.akp, let group?): self = .raw(group, first)
        default: return nil
        }
    }

    var kindAndGroup: (KeyKind, KeyGroup?) {
        switch self {
        case .rsa: (.rsa, nil)
        case .ec(let group, _, _), .raw(let group, _): (group.kind, group)
        case .secret: (.oct, nil)
        }
    }
}
