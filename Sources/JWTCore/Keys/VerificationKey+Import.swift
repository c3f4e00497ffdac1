internal import COpenSSL

extension VerificationKey {
    /// Reads a public key from PEM (`PUBLIC KEY`, `RSA PUBLIC KEY`, `CERTIFICATE`) or DER (SubjectPublicKeyInfo, Certificate, PKCS#1). A
    /// certificate is only a container for its key here: its dates and its issuer are not checked. Private keys are refused.
    ///
    /// A PEM text has one block, because of two keys each reader may take another one. Only behind a certificate there may be others, up to
    /// ten together, each the issuer of the one before (RFC 8446 section 4.4.2): then the key is that of the first. Text around a block is
    /// ignored.
    ///
    /// - Parameters:
    ///   - document: PEM text or DER bytes, at most one MiB.
    ///   - keyID: the name to give the key.
    ///   - algorithm: binds the key to one algorithm; nil allows all that fit its type.
    /// - Throws: `invalid_key`, `weak_key`, `unsupported_algorithm`; `key_algorithm_mismatch` if `algorithm` does not fit.
    public convenience init(
        importing document: Span<UInt8>, keyID: String? = nil, algorithm: SignatureAlgorithm? = nil
    ) throws(VerificationError) {
        guard let material = KeyMaterial(importing: document) else {
            throw VerificationError(.invalidKey, because: document.whyNoKey)
        }
        self.init(try KeyFacts(material, keyID: keyID, algorithm: algorithm))
    }

    /// Whether ``init(importing:keyID:algorithm:)`` would take a key, for a key that verifies no tokens. Prepares nothing and takes no lock.
    package static func isAcceptable(_ document: Span<UInt8>) -> Bool {
        guard let material = KeyMaterial(importing: document) else { return false }
        return (try? KeyFacts(material, keyID: nil, algorithm: nil)) != nil
    }

    /// Reads a public key from an array of bytes, PEM or DER.
    public convenience init(
        importing document: [UInt8], keyID: String? = nil, algorithm: SignatureAlgorithm? = nil
    ) throws(VerificationError) {
        try self.init(importing: document.span, keyID: keyID, algorithm: algorithm)
    }

    /// Reads a public key from PEM text.
    public convenience init(pem: String, keyID: String? = nil, algorithm: SignatureAlgorithm? = nil) throws(VerificationError) {
        try self.init(importing: pem.utf8.span, keyID: keyID, algorithm: algorithm)
    }

    /// Reads one JWK (RFC 7517 section 4), with its `kid`, `alg`, `use` and `key_ops`. Private members are not used.
    ///
    /// - Throws: `invalid_json`, `duplicate_member`, `invalid_utf8`, `token_too_large`; `invalid_key` for a document that is not a JWK; for
    ///   an unusable key its ``unusableReason``.
    public convenience init(jwk document: Span<UInt8>) throws(VerificationError) {
        let document = try JSONDocument(parsing: document)
        let facts = try KeySet.facts(ofKey: document.root)
        if let reason = facts.unusableReason { throw VerificationError(reason) }
        self.init(facts)
    }

    /// Reads one JWK from an array of bytes.
    public convenience init(jwk document: [UInt8]) throws(VerificationError) { try self.init(jwk: document.span) }

    /// Reads one JWK from text.
    public convenience init(jwk document: String) throws(VerificationError) { try self.init(jwk: document.utf8.span) }

    /// A shared secret for HMAC, at least as long as the hash (RFC 7518 section 3.2). A public key's document never becomes a secret: it is
    /// read by ``init(importing:keyID:algorithm:)-([UInt8],_,_)``.
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
        (type, curve) = material.typeAndCurve
        typeName = type?.rawValue
        algorithmName = algorithm?.name
        if let curve, curve.type != .akp { curveName = curve.rawValue }
        for candidate in SignatureAlgorithm.all where type.map({ candidate.fits($0, curve) }) ?? false {
            if algorithm == nil || candidate == algorithm { algorithms.insert(candidate) }
        }
        if algorithms.isEmpty { throw VerificationError(.keyAlgorithmMismatch) }
        adopt(material)
        if let unusableReason { throw VerificationError(unusableReason) }
    }

    /// RFC 8037 section 2: in a JWK with a `d`, it must belong to the same key.
    static func ownPairMatches(_ jwk: borrowing JSONElement, _ curve: Curve, _ x: [UInt8]) -> Bool {
        guard jwk["d"] != nil else { return true }
        guard let text = jwk["d"]?.utf8, let d = try? Base64URL.bytes(text.span) else { return false }
        return unsafe cossl_okp_pair_matches(curve.openssl, d, d.count, x, x.count) == 1
    }
}

extension Span<UInt8> {
    /// Why a document that is not a key is none. No byte of it is said: it may be a secret.
    fileprivate var whyNoKey: StaticString {
        let blocks = unsafe withUnsafeBufferPointer { unsafe cossl_count_pem_blocks($0.baseAddress, $0.count) }
        if blocks.of_private_keys > 0 { return "the document has a private key; a verifier takes its public key" }
        if blocks.all > 1 {
            return "the document has several PEM blocks: give it one key, or one certificate with its issuers; a JWK Set has several keys"
        }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        if extracting(first: 3).equals(mark.span) { return "the document begins with a byte order mark; store it without" }
        return "the document is neither a public key nor a certificate, in PEM or DER"
    }
}

extension KeyMaterial {
    /// Reads PEM or DER; nil if it holds no public key of a known type.
    fileprivate init?(importing document: Span<UInt8>) {
        var parts = unsafe cossl_components()
        let isGood = unsafe document.withUnsafeBufferPointer { unsafe cossl_import_public_key(&parts, $0.baseAddress, $0.count) }
        guard isGood == 1 else { return nil }
        defer { unsafe cossl_components_free(&parts) }
        unsafe self.init(parts)
    }

    /// Copies the parts that COpenSSL read from a document.
    @unsafe
    private init?(_ parts: cossl_components) {
        // SAFETY: COpenSSL gives each part with its own length.
        let first = unsafe Array(UnsafeBufferPointer(start: parts.first, count: parts.first_len))
        let second = unsafe Array(UnsafeBufferPointer(start: parts.second, count: parts.second_len))
        switch (unsafe KeyType(parts.kind), unsafe Curve(parts.group)) {
        case (.rsa, _): self = .rsa(modulus: first, exponent: second)
        case (.ec, let curve?): self = .ec(curve, x: first, y: second)
        case (.okp, let curve?), (.akp, let curve?): self = .raw(curve, first)
        default: return nil
        }
    }

    var typeAndCurve: (KeyType, Curve?) {
        switch self {
        case .rsa: (.rsa, nil)
        case .ec(let curve, _, _), .raw(let curve, _): (curve.type, curve)
        case .secret: (.oct, nil)
        }
    }
}
