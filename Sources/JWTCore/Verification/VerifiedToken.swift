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
    /// `exp`.
    public var expiration: NumericDate? { claims.expiration }
}

extension Array where Element: BitwiseCopyable {
    /// A copy of the elements of `span`.
    package init(copying span: Span<Element>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
