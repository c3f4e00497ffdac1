/// The public key that a token brings itself (`jwk`, RFC 7515 section 4.1.3), read strictly. Anyone can make one: it says nothing until its
/// ``thumbprint`` is the one that another, verified token names.
package struct EmbeddedKey: ~Escapable {
    private let jwk: JSONValue
    private let members: EmbeddedKeyMembers
    package let type: KeyType
    package let curve: Curve?

    /// Reads the key's form. Nothing is decoded yet.
    ///
    /// - Throws: `invalid_proof_key` for what is no JWK of a public key: a shared secret, a private key, an unknown type or curve, a `use`
    ///   or `key_ops` that excludes verifying, a component of the wrong length.
    @_lifetime(copy jwk)
    package init(_ jwk: JSONValue) throws(VerificationError) {
        guard jwk.isObject else { throw Self.refusal("jwk is not an object") }
        let members = try EmbeddedKeyMembers(of: jwk)
        guard let type = members.type(in: jwk) else { throw Self.refusal("kty is not the type of a public key that is known here") }
        guard let curve = members.curve(of: type, in: jwk) else { throw Self.refusal("crv is not a curve that is known here") }
        self.jwk = jwk
        self.members = members
        self.type = type
        self.curve = curve
        try members.checkUse(in: jwk)
        try checkAlgorithm()
        try checkLengths()
    }

    /// Whether `kty`, `crv` and `alg` allow the algorithm.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        guard algorithm.fits(type, curve) else { return false }
        // RFC 9864: for one curve, EdDSA and the name of the curve are the same algorithm.
        guard type != .okp, let own = ownAlgorithm else { return true }
        return own == algorithm
    }

    /// The key as it is written.
    package var text: Span<UInt8> { @_lifetime(copy self) get { jwk.raw } }

    /// `alg`, if the key has one.
    private var ownAlgorithm: SignatureAlgorithm? {
        guard let name = members.string(members.algorithm, in: jwk) else { return nil }
        return SignatureAlgorithm(name)
    }

    private func checkAlgorithm() throws(VerificationError) {
        guard members.algorithm != 0 else { return }
        guard let own = ownAlgorithm, own.fits(type, curve) else { throw Self.refusal("alg of the key does not fit its type") }
    }

    /// RFC 7638 section 3.2: the required members (also RFC 8037 section 2 and RFC 9964) in the order of their names. They are written as
    /// the key has them: base64url is strict, and lengths are exact, so each key has one text.
    package var thumbprint: KeyThumbprint? {
        var text: [UInt8] = []
        text.reserveCapacity(64 + jwk.raw.count)
        switch (type, curve) {
        case (.ec, let curve?):
            Self.append("{\"crv\":\"", curve.rawValue, "\",\"kty\":\"EC\",\"x\":\"", to: &text)
            append(members.x, "\",\"y\":\"", to: &text)
            append(members.y, "\"}", to: &text)
        case (.okp, let curve?):
            Self.append("{\"crv\":\"", curve.rawValue, "\",\"kty\":\"OKP\",\"x\":\"", to: &text)
            append(members.x, "\"}", to: &text)
        case (.akp, let curve?):
            Self.append("{\"alg\":\"", curve.rawValue, "\",\"kty\":\"AKP\",\"pub\":\"", to: &text)
            append(members.raw, "\"}", to: &text)
        case (.rsa, _):
            Self.append("{\"e\":\"", "", "", to: &text)
            append(members.exponent, "\",\"kty\":\"RSA\",\"n\":\"", to: &text)
            append(members.modulus, "\"}", to: &text)
        default: return nil
        }
        return KeyThumbprint(hashing: text.span)
    }

    private static func append(_ first: StaticString, _ word: String, _ last: StaticString, to text: inout [UInt8]) {
        text.append(literal: first)
        text += word.utf8
        text.append(literal: last)
    }

    private func append(_ member: Int, _ behind: StaticString, to text: inout [UInt8]) {
        if let value = members.string(member, in: jwk) { text.append(value.raw) }
        text.append(literal: behind)
    }

    /// Decodes the key and builds it for libcrypto.
    ///
    /// - Parameter tables: where the kernels prepare it; nil for a key that will hardly come again.
    /// - Throws: `invalid_proof_key` for a weak key, a point off its curve, or what is no strict base64url.
    package func key(preparedIn tables: KeyTables?) throws(VerificationError) -> VerificationKey {
        var facts = KeyFacts()
        facts.type = type
        facts.curve = curve
        for algorithm in SignatureAlgorithm.all where fits(algorithm) { facts.algorithms.insert(algorithm) }
        facts.adopt(try material)
        if let reason = facts.unusableReason { throw Self.refusal(Self.words(for: reason)) }
        return VerificationKey(facts, tables: tables)
    }

    private var material: KeyMaterial {
        get throws(VerificationError) {
            switch (type, curve) {
            case (.rsa, _): .rsa(modulus: try bytes(members.modulus), exponent: try bytes(members.exponent))
            case (.ec, let curve?): .ec(curve, x: try bytes(members.x), y: try bytes(members.y))
            case (.okp, let curve?): .raw(curve, try bytes(members.x))
            case (.akp, let curve?): .raw(curve, try bytes(members.raw))
            default: throw Self.refusal("kty is not the type of a public key that is known here")
            }
        }
    }

    private func bytes(_ member: Int) throws(VerificationError) -> [UInt8] {
        guard let text = members.string(member, in: jwk) else { throw Self.missing }
        do throws(VerificationError) {
            return try Base64URL.bytes(text.raw)
        } catch {
            throw Self.refusal("a component of the key is not strict base64url")
        }
    }
}

// Lengths: an escape, or a component of another length, would give one key several thumbprints.
extension EmbeddedKey {
    /// Characters of a modulus of 2,048 to 4,096 bits. A larger one makes a sender's proof cost more than its token.
    private static let modulusCharacters = 342...683
    private static let exponentCharacters = 2...11

    private func checkLengths() throws(VerificationError) {
        switch (type, curve) {
        case (.ec, let curve?):
            try check(members.x, Self.characters(of: curve))
            try check(members.y, Self.characters(of: curve))
        case (.okp, let curve?): try check(members.x, Self.characters(of: curve))
        case (.akp, let curve?): try check(members.raw, Self.characters(of: curve))
        default:
            try check(members.modulus, Self.modulusCharacters, isNumber: true)
            try check(members.exponent, Self.exponentCharacters, isNumber: true)
        }
    }

    /// - Parameter isNumber: whether leading zeros are refused (RFC 7518 section 6.3.1.1).
    private func check(_ member: Int, _ lengths: ClosedRange<Int>, isNumber: Bool = false) throws(VerificationError) {
        guard let value = members.string(member, in: jwk) else { throw Self.missing }
        guard !value.isEscaped, lengths.contains(value.raw.count) else {
            throw Self.refusal("a component of the key has a length that its type does not allow")
        }
        guard !isNumber || Self.hasNoLeadingZero(value.raw) else { throw Self.refusal("a number of the key has leading zeros") }
    }

    private static func characters(of curve: Curve) -> ClosedRange<Int> {
        let bytes = (curve.bits + 7) / 8, count = (bytes * 8 + 5) / 6
        return count...count
    }

    /// The first byte is zero only if its six highest bits are, and the two highest of the next character.
    private static func hasNoLeadingZero(_ text: Span<UInt8>) -> Bool {
        text.count > 1 && (text[0] != UInt8(ascii: "A") || !(UInt8(ascii: "A")...UInt8(ascii: "P")).contains(text[1]))
    }

    private static var missing: VerificationError { refusal("a component of the key is missing, or is not a string") }

    private static func words(for reason: VerificationError.Code) -> StaticString {
        switch reason {
        case .weakKey: "the key is too small"
        case .unsupportedAlgorithm: "the key's algorithm is not available here"
        default: "the key is malformed, or its point is not on the curve"
        }
    }

    static func refusal(_ words: StaticString) -> VerificationError { VerificationError(.invalidProofKey, because: words) }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: Span<UInt8>) { unsafe text.withUnsafeBufferPointer { unsafe append(contentsOf: $0) } }

    /// Appends a literal of more than one character.
    fileprivate mutating func append(literal: StaticString) {
        guard literal.hasPointerRepresentation else { return }
        // SAFETY: a literal points at `utf8CodeUnitCount` bytes that stay valid for the life of the program.
        unsafe append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
}
