/// The claims of a token with a verified signature that meets the policy: a view of the payload, valid only in the scope that lends it.
///
/// The types of registered claims have been checked. Values are decoded on access, and strings are borrowed. Only the verifier makes one,
/// and within this package the reader of introspection answers (RFC 7662), whose claims have an empty header. ``UnverifiedClaims`` reads a
/// token that has not been verified.
public struct Claims: ~Escapable {
    /// The whole payload.
    public let value: JSONValue
    /// The header, now as trustworthy as the payload.
    public let header: JOSEHeader
    /// The index, in ``KeySet/keys``, of the key that verified the token.
    public let keyPosition: Int
    /// The ``KeySet/serial`` of the key's set; zero for stored claims.
    let keySetSerial: UInt64
    // Small members come last: after a one-byte member, copies of the others would use loads that straddle the preceding stores.
    let places: ClaimPlaces
    /// The algorithm that verified the token.
    public let algorithm: SignatureAlgorithm
    let curve: Curve?

    /// - Parameters:
    ///   - places: the claims found while `value` was read; found here if they were not.
    ///   - base: where the payload's base64url text begins in the token, for offsets.
    /// - Throws: `invalid_claim` if the payload is not an object or a registered claim has the wrong type.
    @_lifetime(copy value, copy header)
    init(
        _ value: JSONValue, places: inout ClaimPlaces, header: JOSEHeader, proof: consuming SignatureVerified, base: Int
    ) throws(VerificationError) {
        guard value.isObject else { throw VerificationError(.invalidClaim) }
        if !places.areFound { places = try ClaimPlaces(in: value, base: base) }
        algorithm = proof.algorithm
        keyPosition = proof.keyPosition
        keySetSerial = proof.keySetSerial
        curve = proof.curve
        self.places = places
        self.value = value
        self.header = header
    }

    /// The claims stored by a ``VerifiedToken`` or a ``VerifiedTokenCache``.
    @_lifetime(copy value, copy header)
    init(kept value: JSONValue, header: JOSEHeader, keyPosition: Int, curve: Curve?, places: ClaimPlaces) {
        self.value = value
        self.header = header
        self.algorithm = header.algorithm
        self.keyPosition = keyPosition
        self.keySetSerial = 0
        self.curve = curve
        self.places = places
    }

    /// The value of a registered claim, nil if the token does not have it.
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

    /// The value of any claim, nil if the token does not have it.
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
        return value.shortDate(at: place) ?? longDate(at: place)
    }

    /// A separate function, because inlining it would make the usual path several times longer.
    @inline(never)
    private func longDate(at place: Int) -> NumericDate? { JSONValue(text: value.text, tape: value.tape, index: place).date }

    /// The text of a claim that is a string without escapes; nil for any other.
    @_lifetime(copy self)
    @inline(__always)
    func plainText(_ claim: RegisteredClaim) -> Span<UInt8>? {
        let place = places[claim]
        guard place != 0, value.tape[place].isPlainString else { return nil }
        return value.text.extracting(value.tape[place].range)
    }

    /// The signed payload, decoded from base64url.
    public var payload: Span<UInt8> { @_lifetime(copy self) get { value.text } }
}

extension ClaimPlaces {
    /// Finds the registered claims on the tape of an object. This is the reference that the kernel is compared with.
    ///
    /// - Throws: `invalid_claim` for a claim of the wrong type, with its offset in a token where the object's base64url text begins at
    ///   `base`.
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
