/// What a token says of itself, believed by nobody: for choosing an issuer's keys before verification, and for looking at tokens.
/// Nothing turns it into ``Claims`` or ``VerifiedToken``.
public struct UnverifiedClaims: Sendable {
    private let headerText: [UInt8]
    private let headerTape: [JSONNode]
    private let payloadText: [UInt8]
    private let payloadTape: [JSONNode]

    /// Reads header and payload of `token`, strictly, and checks nothing else.
    ///
    /// - Throws: the codes of form; `invalid_header` and `invalid_claim` where a part is not an object.
    public init(reading token: Span<UInt8>, limits: TokenLimits = .standard) throws(VerificationError) {
        let token = try CompactToken(parsing: token, limits: limits)
        let parts = try DecodedParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var payloadTape = try Scratch<JSONNode>(capacity: limits.nodes)
        try self.init(token, parts, &headerTape, &payloadTape, limits)
    }

    private init(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>,
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

    /// The claims as the token states them.
    public var value: JSONValue { @_lifetime(borrow self) get { JSONValue(text: payloadText.span, tape: payloadTape.span) } }
    /// The header as the token states it.
    public var header: JSONValue { @_lifetime(borrow self) get { JSONValue(text: headerText.span, tape: headerTape.span) } }
    /// `iss` as the token states it: good for choosing among known issuers, never for building an address.
    public var issuer: String? { value["iss"]?.string?.string }
}
