/// The claims of a token that has not been verified: for choosing an issuer's keys before verification, and for inspection. They cannot be
/// converted into ``Claims`` or ``VerifiedToken``.
public struct UnverifiedClaims: Sendable {
    private let headerText: [UInt8]
    private let headerTape: [JSONNode]
    private let payloadText: [UInt8]
    private let payloadTape: [JSONNode]

    /// Parses header and payload of `token` strictly, and checks nothing else.
    ///
    /// - Throws: the codes of form; `invalid_header` and `invalid_claim` if a part is not an object.
    public init(reading token: Span<UInt8>, limits: TokenLimits = .standard) throws(VerificationError) {
        let token = try CompactToken(parsing: token, limits: limits)
        let parts = try TokenParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var payloadTape = try Scratch<JSONNode>(capacity: limits.nodes)
        try self.init(token, parts, &headerTape, &payloadTape, limits)
    }

    /// Parses header and payload of a token in an array of bytes.
    public init(reading token: [UInt8], limits: TokenLimits = .standard) throws(VerificationError) {
        try self.init(reading: token.span, limits: limits)
    }

    /// Parses header and payload of a token in text.
    public init(reading token: String, limits: TokenLimits = .standard) throws(VerificationError) {
        try self.init(reading: token.utf8.span, limits: limits)
    }

    private init(
        _ token: CompactToken, _ parts: borrowing TokenParts, _ headerTape: inout Scratch<JSONNode>,
        _ payloadTape: inout Scratch<JSONNode>, _ limits: TokenLimits
    ) throws(VerificationError) {
        let header = try JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0)
        guard header.isObject else { throw VerificationError(.invalidHeader) }
        guard header["enc"] == nil else { throw VerificationError(.encryptedToken) }
        let payload = try JSONValue(parts.payload, tape: &payloadTape, limits: limits.json, base: token.payloadOffset)
        guard payload.isObject else { throw VerificationError(.invalidClaim) }
        self.headerText = Array(copying: header.text)
        self.headerTape = Array(copying: header.tape)
        self.payloadText = Array(copying: payload.text)
        self.payloadTape = Array(copying: payload.tape)
    }

    /// The unverified claims.
    public var value: JSONValue { @_lifetime(borrow self) get { JSONValue(text: payloadText.span, tape: payloadTape.span) } }
    /// The unverified header.
    public var header: JSONValue { @_lifetime(borrow self) get { JSONValue(text: headerText.span, tape: headerTape.span) } }
    /// The unverified `iss`: use it only to choose among known issuers, never to build an address.
    public var issuer: String? { value["iss"]?.string?.string }
}
