/// The public key that a token brings itself (`jwk`, RFC 7515 section 4.1.3), read strictly. Anyone can make one: it says nothing until its
/// ``thumbprint`` is the one that another, verified token names.
package struct EmbeddedKey: ~Escapable {
    private let jwk: JSONValue
    package let type: KeyType
    package let curve: Curve?
    /// The algorithms that `kty`, `crv` and `alg` allow.
    package let algorithms: AlgorithmSet

    /// Reads the key's form. Nothing is decoded yet.
    ///
    /// - Throws: `invalid_proof_key` for what is no JWK of a public key: a shared secret, a private key, an unknown type or curve, a `use` or
    ///   `key_ops` that excludes verifying, a component of the wrong length.
    @_lifetime(copy jwk)
    package init(_ jwk: JSONValue) throws(VerificationError) {
        guard jwk.isObject else { throw Self.refusal("jwk is not an object") }
        guard let typeName = jwk["kty"]?.string, let type = Self.type(typeName) else {
            throw Self.refusal("kty is not the type of a public key that is known here")
        }
        for name in Self.privateNames where jwk[name] != nil { throw Self.refusal("jwk holds a private key, or a shared secret") }
        guard let curve = Self.curve(of: type, jwk) else { throw Self.refusal("crv is not a curve that is known here") }
        self.jwk = jwk
        self.type = type
        self.curve = curve
        algorithms = try Self.algorithms(type, curve, jwk)
        try checkUse()
        try checkLengths()
    }

    /// RFC 7638 section 3.2: the required members in the order of their names. They are written as the key has them: base64url is strict, and
    /// lengths are exact, so each key has one text.
    package var thumbprint: KeyThumbprint? {
        var text: [UInt8] = []
        var separator = UInt8(ascii: "{")
        text.reserveCapacity(128 + jwk.raw.count)
        for name in Self.names(of: type) {
            guard let value = jwk[name]?.string else { return nil }
            text.append(separator)
            text.append(UInt8(ascii: "\""))
            text += name.utf8
            text += "\":\"".utf8
            for place in value.raw.indices { text.append(value.raw[place]) }
            text.append(UInt8(ascii: "\""))
            separator = UInt8(ascii: ",")
        }
        text.append(UInt8(ascii: "}"))
        return KeyThumbprint(Digest.sha256.bytes(of: text.span))
    }

    /// Decodes the key and builds it for libcrypto.
    ///
    /// - Parameter tables: where the kernels prepare it; nil for a key that will hardly come again.
    /// - Throws: `invalid_proof_key` for a weak key, a point off its curve, or what is no strict base64url.
    package func key(preparedIn tables: KeyTables?) throws(VerificationError) -> VerificationKey {
        var facts = KeyFacts()
        facts.type = type
        facts.curve = curve
        facts.algorithms = algorithms
        facts.adopt(try material)
        if let reason = facts.unusableReason { throw Self.refusal(Self.words(for: reason)) }
        return VerificationKey(facts, tables: tables)
    }

    private var material: KeyMaterial {
        get throws(VerificationError) {
            switch (type, curve) {
            case (.rsa, _): .rsa(modulus: try bytes("n"), exponent: try bytes("e"))
            case (.ec, let curve?): .ec(curve, x: try bytes("x"), y: try bytes("y"))
            case (.okp, let curve?): .raw(curve, try bytes("x"))
            case (.akp, let curve?): .raw(curve, try bytes("pub"))
            default: throw Self.refusal("kty is not the type of a public key that is known here")
            }
        }
    }

    private func bytes(_ name: String) throws(VerificationError) -> [UInt8] {
        guard let text = jwk[name]?.string else { throw Self.missing }
        do throws(VerificationError) {
            return try Base64URL.bytes(text.raw)
        } catch {
            throw Self.refusal("a component of the key is not strict base64url")
        }
    }
}

// Form
extension EmbeddedKey {
    private static func type(_ name: borrowing JSONString) -> KeyType? {
        for type in [KeyType.ec, .okp, .rsa, .akp] where name.equals(type.rawValue) { return type }
        return nil
    }

    /// Nil if the type needs a curve and the key has none that fits; a value without a curve for RSA.
    private static func curve(of type: KeyType, _ jwk: borrowing JSONValue) -> Curve?? {
        guard type != .rsa else { return .some(nil) }
        guard let name = jwk[type == .akp ? "alg" : "crv"]?.string else { return nil }
        for curve in Curve.allCases where curve.type == type && name.equals(curve.rawValue) { return curve }
        return nil
    }

    private static func algorithms(
        _ type: KeyType, _ curve: Curve?, _ jwk: borrowing JSONValue
    ) throws(VerificationError) -> AlgorithmSet {
        var fitting = AlgorithmSet()
        for algorithm in SignatureAlgorithm.all where algorithm.fits(type, curve) { fitting.insert(algorithm) }
        guard let member = jwk["alg"] else { return fitting }
        guard let name = member.string, let algorithm = SignatureAlgorithm(name), fitting.contains(algorithm) else {
            throw refusal("alg of the key does not fit its type")
        }
        // RFC 9864: for one curve, EdDSA and the name of the curve are the same algorithm.
        return type == .okp ? fitting : [algorithm]
    }

    /// RFC 7517 sections 4.2 and 4.3: absent, or for signatures.
    private func checkUse() throws(VerificationError) {
        if let use = jwk["use"] {
            guard let word = use.string, word.equals("sig" as StaticString) else { throw Self.refusal("use of the key is not sig") }
        }
        guard let operations = jwk["key_ops"] else { return }
        guard operations.isArray, operations.contains("verify") else { throw Self.refusal("key_ops of the key does not name verify") }
    }

    /// An escape, or a component of another length, would give one key several thumbprints.
    private func checkLengths() throws(VerificationError) {
        for name in Self.names(of: type) {
            guard let value = jwk[name]?.string else { throw Self.missing }
            guard !value.isEscaped, lengths(of: name).contains(value.raw.count) else {
                throw Self.refusal("a component of the key has a length that its type does not allow")
            }
        }
        // RFC 7518 section 6.3.1.1: no leading zeros. The first character encodes the highest six bits.
        guard type == .rsa, let modulus = jwk["n"]?.string, let exponent = jwk["e"]?.string else { return }
        guard Self.hasNoLeadingZero(modulus.raw), Self.hasNoLeadingZero(exponent.raw) else {
            throw Self.refusal("a number of the key has leading zeros")
        }
    }

    /// Characters of a component.
    private func lengths(of name: String) -> ClosedRange<Int> {
        switch (name, curve) {
        case ("n", _): return 342...Self.modulusCharacters
        case ("e", _): return 2...11
        case ("x", let curve?), ("y", let curve?): return Self.characters(ofBits: curve.bits)
        case ("pub", let curve?): return Self.characters(ofBits: curve.bits)
        // Words.
        default: return 1...16
        }
    }

    private static func characters(ofBits bits: Int) -> ClosedRange<Int> {
        let bytes = (bits + 7) / 8, count = (bytes * 8 + 5) / 6
        return count...count
    }

    /// 4,096 bits. A larger modulus makes a sender's proof cost more than its token.
    private static let modulusCharacters = 683

    private static func hasNoLeadingZero(_ text: Span<UInt8>) -> Bool {
        // The first byte is zero only if its six highest bits are, and the two highest of the next character.
        text.count > 1 && (text[0] != UInt8(ascii: "A") || !(UInt8(ascii: "A")...UInt8(ascii: "P")).contains(text[1]))
    }

    /// The required members (RFC 7638 section 3.2, RFC 8037 section 2, RFC 9964), in the order of their names.
    private static func names(of type: KeyType) -> [String] {
        switch type {
        case .rsa: ["e", "kty", "n"]
        case .ec: ["crv", "kty", "x", "y"]
        case .okp: ["crv", "kty", "x"]
        case .akp: ["alg", "kty", "pub"]
        case .oct: []
        }
    }

    private static let privateNames = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"]

    private static var missing: VerificationError { refusal("a component of the key is missing, or is not a string") }

    private static func words(for reason: VerificationError.Code) -> StaticString {
        switch reason {
        case .weakKey: "the key is too small"
        case .unsupportedAlgorithm: "the key's algorithm is not available here"
        default: "the key is malformed, or its point is not on the curve"
        }
    }

    private static func refusal(_ words: StaticString) -> VerificationError { VerificationError(.invalidProofKey, because: words) }
}
