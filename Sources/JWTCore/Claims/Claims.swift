/// The claims of a token whose signature was verified and whose policy was met: a view of the payload, valid where it was handed out.
///
/// Registered claims have been checked for their type; everything is decoded when asked for, and strings are borrowed. Only the
/// verifier makes one: to look into a token that nobody has verified there is ``UnverifiedClaims``.
public struct Claims: ~Escapable {
    /// The whole payload.
    public let value: JSONValue
    /// The header, now as trustworthy as the payload.
    public let header: JOSEHeader
    /// The place, in the key set's ``KeySet/keys``, of the key that verified.
    public let keyPosition: Int
    /// The ``KeySet/serial`` of the key's set; zero where the claims were kept.
    let keySetSerial: UInt64
    // What is small comes last: behind a byte, the rest would be copied by loads that straddle the stores before them.
    let places: ClaimPlaces
    /// The algorithm that verified.
    public let algorithm: SignatureAlgorithm
    let group: KeyGroup?

    /// - Parameters:
    ///   - places: what was found of the claims while `value` was read.
    ///   - base: where the payload's base64url text begins in the token, for offsets.
    /// - Throws: `invalid_claim` if the payload is no object or a registered claim is of the wrong type.
    @_lifetime(copy value, copy header)
    init(
        _ value: JSONValue, places: ClaimPlaces, header: JOSEHeader, proof: consuming SignatureVerified, base: Int
    ) throws(VerificationError) {
        guard value.isObject else { throw VerificationError(.invalidClaim) }
        algorithm = proof.algorithm
        keyPosition = proof.keyPosition
        keySetSerial = proof.keySetSerial
        group = proof.group
        self.places = places.areFound ? places : try ClaimPlaces(in: value, base: base)
        self.value = value
        self.header = header
    }

    /// The claims that a ``VerifiedToken`` or a ``VerifiedTokenCache`` kept.
    @_lifetime(copy value, copy header)
    init(kept value: JSONValue, header: JOSEHeader, keyPosition: Int, group: KeyGroup?, places: ClaimPlaces) {
        self.value = value
        self.header = header
        self.algorithm = header.algorithm
        self.keyPosition = keyPosition
        self.keySetSerial = 0
        self.group = group
        self.places = places
    }

    /// The value of a registered claim, nil if the token has none.
    public subscript(claim: RegisteredClaim) -> JSONValue? {
        @_lifetime(copy self) get {
            let place = places[claim]
            guard place != 0 else { return nil }
            return JSONValue(text: value.text, tape: value.tape, index: place)
        }
    }

    /// The value at the end of a path of member names and positions, nil if a step is missing: `value(at: "realm_access", "roles", 0)`.
    @_lifetime(copy self)
    public func value(at path: JSONValue.PathStep...) -> JSONValue? { value.value(at: path) }

    /// The value of any claim, nil if the token has none.
    public subscript(name: String) -> JSONValue? { @_lifetime(copy self) get { value[name] } }

    public var issuer: JSONString? { @_lifetime(copy self) get { self[.issuer]?.string } }
    public var subject: JSONString? { @_lifetime(copy self) get { self[.subject]?.string } }
    public var tokenID: JSONString? { @_lifetime(copy self) get { self[.tokenID]?.string } }
    /// A string, or an array of strings.
    public var audience: JSONValue? { @_lifetime(copy self) get { self[.audience] } }
    public var expiration: NumericDate? { date(.expiration) }
    public var notBefore: NumericDate? { date(.notBefore) }
    public var issuedAt: NumericDate? { date(.issuedAt) }
    public var authenticationTime: NumericDate? { date(.authenticationTime) }

    @inline(__always)
    func date(_ claim: RegisteredClaim) -> NumericDate? {
        let place = places[claim]
        guard place != 0 else { return nil }
        return value.shortDate(at: place) ?? JSONValue(text: value.text, tape: value.tape, index: place).date
    }

    /// The payload as it was signed, decoded from base64url.
    public var payload: Span<UInt8> { @_lifetime(copy self) get { value.text } }
}

extension ClaimPlaces {
    /// Finds the registered claims on the tape of an object: what judges every claim, and what the kernel is held against.
    ///
    /// - Throws: `invalid_claim` for one of the wrong type, with its offset in a token in which the object's base64url text begins at `base`.
    package init(in value: borrowing JSONValue, base: Int) throws(VerificationError) {
        self.init()
        var member = value.index + 1
        for _ in 0..<value.count {
            if let claim = RegisteredClaim(nameAt: member, in: value) {
                guard claim.accepts(JSONValue(text: value.text, tape: value.tape, index: member + 1)) else {
                    throw VerificationError(.invalidClaim, at: Int(value.tape[member + 1].start), claim: claim).decoded(from: base)
                }
                self[claim] = member + 1
            }
            member = Int(value.tape[member + 1].next)
        }
    }
}
