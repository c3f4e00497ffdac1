/// A copy of a verified token's header and claims. Only a verification can make one.
public struct VerifiedToken: Sendable {
    private let headerText: [UInt8]
    private let headerTape: [JSONNode]
    private let headerMembers: JOSEHeader.Members
    private let payloadText: [UInt8]
    private let payloadTape: [JSONNode]
    private let places: ClaimPlaces
    private let curve: Curve?
    /// The algorithm that verified the token.
    public let algorithm: SignatureAlgorithm
    /// The index, in ``KeySet/keys``, of the key that verified the token.
    public let keyPosition: Int

    /// Copies the claims that a verification lent.
    package init(_ claims: borrowing Claims) {
        headerText = Array(copying: claims.header.value.text)
        headerTape = Array(copying: claims.header.value.tape)
        headerMembers = claims.header.members
        payloadText = Array(copying: claims.value.text)
        payloadTape = Array(copying: claims.value.tape)
        places = claims.places
        curve = claims.curve
        algorithm = claims.algorithm
        keyPosition = claims.keyPosition
    }

    /// The token of `object`, with claims that were made from its payload.
    ///
    /// - Throws: `invalid_claim`.
    init(_ object: SignedObject, claims: ParsedJSON) throws(VerificationError) {
        guard claims.root.isObject else { throw VerificationError(.invalidClaim) }
        places = try ClaimPlaces(in: claims.root, base: 0)
        headerText = object.headerText
        headerTape = object.headerTape
        headerMembers = object.headerMembers
        payloadText = claims.text
        payloadTape = claims.tape
        curve = object.curve
        algorithm = object.algorithm
        keyPosition = object.keyPosition
    }

    /// The claims.
    public var claims: Claims {
        @_lifetime(borrow self) get {
            let value = JSONValue(text: payloadText.span, tape: payloadTape.span)
            return Claims(kept: value, header: header, keyPosition: keyPosition, curve: curve, places: places)
        }
    }

    /// The header. It belongs to a JWT, so its payload was encoded.
    public var header: JOSEHeader {
        @_lifetime(borrow self) get {
            JOSEHeader(kept: JSONValue(text: headerText.span, tape: headerTape.span), members: headerMembers, algorithm: algorithm)
        }
    }

    /// The signed payload, decoded from base64url.
    public var payload: [UInt8] { payloadText }

    /// `iss`, as a `String`.
    public var issuer: String? { claims.issuer?.string }
    /// `sub`, as a `String`.
    public var subject: String? { claims.subject?.string }
    /// `kid`, as a `String`.
    public var keyID: String? { header.keyID?.string }
    /// `aud`: the audiences, one or several; empty if the token has none.
    public var audience: [String] { claims.audience?.strings ?? [] }
    /// `jti`, as a `String`.
    public var tokenID: String? { claims.tokenID?.string }
    /// `client_id`, as a `String` (RFC 8693 section 4.3).
    public var clientID: String? { claims.string(.clientID) }
    /// The granted scopes, as ``Claims/scopes`` has them.
    public var scopes: [String] { claims.scopes }
    /// `exp`.
    public var expiration: NumericDate? { claims.expiration }
    /// `nbf`.
    public var notBefore: NumericDate? { claims.notBefore }
    /// `iat`.
    public var issuedAt: NumericDate? { claims.issuedAt }
    /// `auth_time`.
    public var authenticationTime: NumericDate? { claims.authenticationTime }

    /// Whether the token grants `scope`, as ``Claims/hasScope(_:)`` says.
    public func hasScope(_ scope: String) -> Bool { claims.hasScope(scope) }
}

extension Array where Element: BitwiseCopyable {
    /// A copy of the elements of `span`.
    package init(copying span: Span<Element>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
