/// A token, split and decoded: what the steps of its verification work on. Header, payload and signature lie one behind another in scratch
/// memory.
struct TokenParts: ~Copyable, ~Escapable {
    let token: CompactToken
    private let scratch: Scratch<UInt8>
    private let headerEnd: Int
    private let payloadEnd: Int
    private let signatureEnd: Int

    enum Part { case header, payload }

    /// Decodes the parts except the one in `left`, which stays empty.
    ///
    /// - Throws: `invalid_base64url` with the offset in the token; `token_too_large` for a header beyond its limit.
    @_lifetime(copy token)
    @inline(__always)
    init(_ token: CompactToken, limits: TokenLimits, leaving left: Part? = nil) throws(VerificationError) {
        let isTooLong = left != .header && Base64URL.decodedCount(token.header.count) > limits.headerBytes
        guard !isTooLong else { throw VerificationError(.tokenTooLarge, at: 0) }
        var scratch = try Scratch<UInt8>(capacity: token.bytes.count)
        let headerEnd = left == .header ? 0 : try Self.decode(token.header, into: &scratch, at: 0, base: 0)
        var payloadEnd = headerEnd
        if left != .payload { payloadEnd = try Self.decode(token.payload, into: &scratch, at: headerEnd, base: token.payloadOffset) }
        signatureEnd = try Self.decode(token.signature, into: &scratch, at: payloadEnd, base: token.signatureOffset)
        self.token = token
        self.headerEnd = headerEnd
        self.payloadEnd = payloadEnd
        self.scratch = scratch
    }

    @inline(__always)
    private static func decode(
        _ text: Span<UInt8>, into scratch: inout Scratch<UInt8>, at start: Int, base: Int
    ) throws(VerificationError) -> Int {
        var out = scratch.mutableSpan(from: start)
        do { return start + (try Base64URL.decode(text, into: &out)) } catch { throw error.shifted(by: base) }
    }

    var header: Span<UInt8> { @_lifetime(borrow self) get { scratch.span(0..<headerEnd) } }
    var payload: Span<UInt8> { @_lifetime(borrow self) get { scratch.span(headerEnd..<payloadEnd) } }
    var signature: Span<UInt8> { @_lifetime(borrow self) get { scratch.span(payloadEnd..<signatureEnd) } }
}
