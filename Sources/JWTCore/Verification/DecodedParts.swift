/// The decoded parts of a token, in scratch memory: header, payload and signature one behind the other.
struct DecodedParts: ~Copyable {
    private let scratch: Scratch<UInt8>
    private let headerEnd: Int
    private let payloadEnd: Int
    private let signatureEnd: Int

    enum Part { case header, payload }

    /// Decodes the parts, all but the one to be left, which then is empty here.
    ///
    /// - Throws: `invalid_base64url` with the offset in the token; `token_too_large` for a header beyond its limit.
    init(_ token: borrowing CompactToken, limits: TokenLimits, leaving left: Part? = nil) throws(VerificationError) {
        let isTooLong = left != .header && Base64URL.decodedCount(token.header.count) > limits.headerBytes
        guard !isTooLong else { throw VerificationError(.tokenTooLarge, at: 0) }
        var scratch = try Scratch<UInt8>(capacity: token.bytes.count)
        let headerEnd = left == .header ? 0 : try Self.decode(token.header, into: &scratch, at: 0, base: 0)
        var payloadEnd = headerEnd
        if left != .payload { payloadEnd = try Self.decode(token.payload, into: &scratch, at: headerEnd, base: token.payloadOffset) }
        signatureEnd = try Self.decode(token.signature, into: &scratch, at: payloadEnd, base: token.signatureOffset)
        self.headerEnd = headerEnd
        self.payloadEnd = payloadEnd
        self.scratch = scratch
    }

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

extension JSONValue {
    /// Tokenizes `text` onto `tape`. Offsets in errors are of the base64url text that begins at `base` in the token.
    @_lifetime(copy text, &tape)
    init(_ text: Span<UInt8>, tape: inout Scratch<JSONNode>, limits: JSONLimits, base: Int) throws(VerificationError) {
        var count = Self.read(text, &tape, limits)
        if count == 0 { count = try Self.tokenize(text, &tape, limits, base) }
        self.init(text: text, tape: tape.span(0..<count))
    }

    /// The same, and finds the registered claims of a payload.
    @_lifetime(copy text, &tape)
    init(
        _ text: Span<UInt8>, tape: inout Scratch<JSONNode>, finding claims: inout ClaimPlaces, limits: JSONLimits, base: Int
    ) throws(VerificationError) {
        var count = Self.read(text, &tape, limits, &claims)
        if count == 0 {
            claims = ClaimPlaces()
            count = try Self.tokenize(text, &tape, limits, base)
        }
        self.init(text: text, tape: tape.span(0..<count))
    }

    private static func read(_ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits) -> Int {
        var nodes = tape.mutableSpan()
        return nodes.read(text, limits)
    }

    private static func read(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits, _ claims: inout ClaimPlaces
    ) -> Int {
        var nodes = tape.mutableSpan()
        return nodes.read(text, limits, finding: &claims)
    }

    private static func tokenize(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits, _ base: Int
    ) throws(VerificationError) -> Int {
        do throws(VerificationError) {
            var tokenizer = JSONTokenizer(text, tape: tape.mutableSpan(), limits: limits)
            return try tokenizer.tokenizeByReference()
        } catch {
            throw error.decoded(from: base)
        }
    }
}

extension VerificationError {
    /// The same error with its offset in decoded bytes turned into one of the token, whose base64url part begins at `base`.
    func decoded(from base: Int) -> Self {
        guard let offset else { return self }
        return VerificationError(code, at: base + Base64URL.textOffset(of: offset), claim: claim)
    }
}
