/// A verified token that was kept: its own copy of header and claims. The only way to get one is a verification.
public struct VerifiedToken: Sendable {
    private let headerText: [UInt8]
    private let headerTape: [JSONNode]
    private let payloadText: [UInt8]
    private let payloadTape: [JSONNode]
    /// The algorithm that verified.
    public let algorithm: SignatureAlgorithm
    /// The place, in the key set's ``KeySet/keys``, of the key that verified.
    public let keyPosition: Int

    init(_ claims: borrowing Claims) {
        headerText = Array(copying: claims.header.value.text)
        headerTape = Array(copying: claims.header.value.tape)
        payloadText = Array(copying: claims.value.text)
        payloadTape = Array(copying: claims.value.tape)
        algorithm = claims.algorithm
        keyPosition = claims.keyPosition
    }

    /// The claims.
    public var claims: JSONValue { @_lifetime(borrow self) get { JSONValue(text: payloadText.span, tape: payloadTape.span) } }
    /// The header.
    public var header: JSONValue { @_lifetime(borrow self) get { JSONValue(text: headerText.span, tape: headerTape.span) } }
    /// The payload as it was signed, decoded from base64url.
    public var payload: [UInt8] { payloadText }

    /// `iss`, as a `String`.
    public var issuer: String? { claims["iss"]?.string?.string }
    /// `sub`, as a `String`.
    public var subject: String? { claims["sub"]?.string?.string }
    /// `kid`, as a `String`.
    public var keyID: String? { header["kid"]?.string?.string }
    /// `exp`.
    public var expiration: NumericDate? { claims["exp"]?.date }
}

extension Array where Element: BitwiseCopyable {
    /// A copy of a borrowed run of elements.
    package init(copying span: Span<Element>) {
        self.init()
        reserveCapacity(span.count)
        for index in 0..<span.count { append(span[index]) }
    }
}
