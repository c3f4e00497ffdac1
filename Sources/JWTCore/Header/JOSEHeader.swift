/// A JOSE header (RFC 7515 section 4), checked for form and consistency. Its content is not trusted yet.
///
/// `jku`, `jwk`, `x5u`, `x5c` and `x5t` are never read: a token does not choose its keys (RFC 8725 section 3.10).
public struct JOSEHeader: ~Escapable {
    /// The whole header.
    public let value: JSONValue
    let members: Members
    /// The token's algorithm: known, available, not `none`.
    public let algorithm: SignatureAlgorithm
    /// `b64: false` (RFC 7797): the payload was signed without encoding.
    public let isUnencoded: Bool

    /// Reads the header on `tape`.
    ///
    /// - Throws: `invalid_header`, `encrypted_token`, `missing_algorithm`, `unsecured_token`, `unsupported_algorithm`,
    ///   `unsupported_critical`.
    @_lifetime(copy value)
    init(_ value: JSONValue) throws(VerificationError) {
        guard value.isObject else { throw VerificationError(.invalidHeader) }
        let members = Members(of: value)
        guard members.enc == 0 else { throw VerificationError(.encryptedToken) }
        algorithm = try members.algorithm(in: value)
        guard members.textsAreStrings(in: value) else { throw VerificationError(.invalidHeader) }
        isUnencoded = try members.isUnencoded(in: value)
        try members.checkCritical(in: value, isUnencoded: isUnencoded)
        self.members = members
        self.value = value
    }

    /// A header that was read earlier and stored.
    @_lifetime(copy value)
    init(kept value: JSONValue, members: Members, algorithm: SignatureAlgorithm) {
        self.value = value
        self.members = members
        self.algorithm = algorithm
        isUnencoded = false
    }

    /// The key id, if the token has one.
    public var keyID: JSONString? { @_lifetime(copy self) get { string(at: members.kid) } }
    /// The media type of the token (`typ`), as written.
    public var type: JSONString? { @_lifetime(copy self) get { string(at: members.typ) } }
    /// The media type of the payload (`cty`), as written.
    public var contentType: JSONString? { @_lifetime(copy self) get { string(at: members.cty) } }

    @_lifetime(copy self)
    private func string(at index: UInt32) -> JSONString? {
        guard index != 0 else { return nil }
        return JSONValue(text: value.text, tape: value.tape, index: Int(index)).string
    }

    /// Refuses what a JWS header may have and a JWT's may not: an unencoded payload (RFC 7797 section 7), a compressed one, or a nested
    /// token (RFC 7519 section 5.2).
    func requireJWT() throws(VerificationError) {
        guard !isUnencoded else { throw VerificationError(.unsupportedCritical) }
        guard members.zip == 0 else { throw VerificationError(.invalidHeader) }
        if let contentType, contentType.isMediaType("JWT") { throw VerificationError(.typeMismatch) }
    }
}

extension JOSEHeader {
    /// The positions of the relevant members on the tape: the record of the value, 0 for absent (record 0 is the header itself).
    struct Members: Sendable, BitwiseCopyable {
        var alg: UInt32 = 0
        var kid: UInt32 = 0
        var typ: UInt32 = 0
        var cty: UInt32 = 0
        var crit: UInt32 = 0
        var b64: UInt32 = 0
        var enc: UInt32 = 0
        var zip: UInt32 = 0

        init() {}

        init(of header: borrowing JSONValue) {
            var member = header.index + 1
            for _ in 0..<header.count {
                note(header.memberName(member), at: UInt32(truncatingIfNeeded: member + 1))
                member = Int(header.tape[member + 1].next)
            }
        }

        private mutating func note(_ name: borrowing JSONString, at index: UInt32) {
            if name.isEscaped { noteEscaped(name, at: index) } else { notePlain(name.raw, at: index) }
        }

        /// All names have three or four letters, so one number tells them apart. No name contains a NUL.
        private mutating func notePlain(_ name: Span<UInt8>, at index: UInt32) {
            guard name.count == 3 || name.count == 4 else { return }
            let fourth = name.count == 4 ? UInt32(name.byte(at: 3)) : 0
            switch name.threeBytes(at: 0) << 8 | fourth {
            case 0x616c_6700: alg = index
            case 0x6b69_6400: kid = index
            case 0x7479_7000: typ = index
            case 0x6374_7900: cty = index
            case 0x6372_6974: crit = index
            case 0x6236_3400: b64 = index
            case 0x656e_6300: enc = index
            case 0x7a69_7000: zip = index
            default: break
            }
        }

        private mutating func noteEscaped(_ name: borrowing JSONString, at index: UInt32) {
            if name.equals("alg") {
                alg = index
            } else if name.equals("kid") {
                kid = index
            } else if name.equals("typ") {
                typ = index
            } else if name.equals("cty") {
                cty = index
            } else if name.equals("crit") {
                crit = index
            } else if name.equals("b64") {
                b64 = index
            } else if name.equals("enc") {
                enc = index
            } else if name.equals("zip") {
                zip = index
            }
        }

        func algorithm(in header: borrowing JSONValue) throws(VerificationError) -> SignatureAlgorithm {
            guard alg != 0 else { throw VerificationError(.missingAlgorithm) }
            guard let name = JSONValue(text: header.text, tape: header.tape, index: Int(alg)).string else {
                throw VerificationError(.invalidHeader)
            }
            guard let algorithm = SignatureAlgorithm(name) else {
                throw VerificationError(name.equals("none") ? .unsecuredToken : .unsupportedAlgorithm)
            }
            guard algorithm.isAvailable else { throw VerificationError(.unsupportedAlgorithm) }
            return algorithm
        }

        func textsAreStrings(in header: borrowing JSONValue) -> Bool {
            (kid == 0 || header.tape[Int(kid)].kind == .string) && (typ == 0 || header.tape[Int(typ)].kind == .string)
                && (cty == 0 || header.tape[Int(cty)].kind == .string)
        }

        func isUnencoded(in header: borrowing JSONValue) throws(VerificationError) -> Bool {
            guard b64 != 0 else { return false }
            guard let isEncoded = JSONValue(text: header.text, tape: header.tape, index: Int(b64)).bool else {
                throw VerificationError(.invalidHeader)
            }
            // RFC 7797 section 6: an unencoded payload must be marked critical, so that no verifier can overlook it.
            guard isEncoded || crit != 0 else { throw VerificationError(.invalidHeader) }
            return !isEncoded
        }
    }
}
