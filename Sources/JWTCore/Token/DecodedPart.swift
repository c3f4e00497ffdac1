/// One part of a token, decoded.
struct DecodedPart: ~Copyable {
    private let scratch: Scratch<UInt8>
    private let count: Int

    /// - Parameters:
    ///   - base: the offset of `text` in the token, for errors.
    ///   - isUnencoded: whether to take the text as it is (RFC 7797).
    init(_ text: Span<UInt8>, base: Int, isUnencoded: Bool = false) throws(VerificationError) {
        var scratch = try Scratch<UInt8>(capacity: text.count)
        var out = scratch.mutableSpan()
        if isUnencoded {
            for index in 0..<text.count { out[index] = text[index] }
            count = text.count
        } else {
            do { count = try Base64URL.decode(text, into: &out) } catch { throw error.shifted(by: base) }
        }
        self.scratch = scratch
    }

    var bytes: Span<UInt8> { @_lifetime(borrow self) get { scratch.span(0..<count) } }
}
