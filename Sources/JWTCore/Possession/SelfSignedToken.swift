/// A JWT that brings its own key: split, decoded and parsed, with nothing verified. A proof of possession is one (RFC 9449 section 4.2).
///
/// Its sender knows all that is in it and chose the key, so its claims may be judged before its signature: a refusal then costs no
/// cryptography, and tells the sender nothing.
package struct SelfSignedToken: ~Escapable {
    package let header: JOSEHeader
    package let payload: JSONValue
    /// What the signature signs.
    package let message: Span<UInt8>
    package let signature: Span<UInt8>

    /// Reads a token and lends it to `body`.
    ///
    /// - Parameters:
    ///   - bytes: a compact JWS.
    ///   - limits: of the token.
    ///   - body: receives the token, which cannot leave it.
    /// - Throws: the codes of form and header, as a verification does; errors of `body`.
    package static func read<Result>(
        _ bytes: Span<UInt8>, limits: TokenLimits, _ body: (borrowing SelfSignedToken) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try TokenParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        return try read(parts, limits, &headerTape, &tape, body)
    }

    /// The steps, apart from the memory for the reason that `Verification` gives.
    private static func read<Result>(
        _ parts: borrowing TokenParts, _ limits: TokenLimits, _ headerTape: inout Scratch<JSONNode>, _ tape: inout Scratch<JSONNode>,
        _ body: (borrowing SelfSignedToken) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        let payload = try JSONValue(parts.payload, tape: &tape, limits: limits.json, base: parts.token.payloadOffset)
        guard payload.isObject else { throw VerificationError(.invalidClaim) }
        return try body(
            SelfSignedToken(header: header, payload: payload, message: parts.token.signingInput, signature: parts.signature))
    }

    @_lifetime(copy header, copy payload, copy message, copy signature)
    private init(header: JOSEHeader, payload: JSONValue, message: Span<UInt8>, signature: Span<UInt8>) {
        self.header = header
        self.payload = payload
        self.message = message
        self.signature = signature
    }
}
