import JWTCore

extension JSONLimits {
    /// The standard limits of a payload.
    static let payload = JSONLimits(depth: 16, members: 256, values: 2_048, stringBytes: 8_192, numberBytes: 64)
    /// Like those of a header, with room for fewer bytes.
    static let fewEscapes: JSONLimits = {
        var limits = JSONLimits.payload
        (limits.escapes, limits.escapedNameBytes) = (3, 40)
        return limits
    }()
    /// Only a few values, for tests that read very many short texts.
    static let small = JSONLimits(depth: 16, members: 32, values: 32, stringBytes: 8_192, numberBytes: 64)
    /// Limits that no text of these tests reaches.
    static let roomy = JSONLimits(depth: 512, members: 4_096, values: 8_192, stringBytes: 1 << 20, numberBytes: 1 << 20)
}

/// The tokenizer's result for `bytes`: "valid", or code and offset.
func reading(_ bytes: [UInt8], limits: JSONLimits = .payload) -> String {
    outcome { _ = try tape(of: bytes, limits: limits) }
}

func reading(_ text: String, limits: JSONLimits = .payload) -> String { reading(Array(text.utf8), limits: limits) }

/// The records of `bytes`.
func tape(of bytes: [UInt8], limits: JSONLimits = .payload) throws(VerificationError) -> [JSONNode] {
    var tape = [JSONNode](repeating: .placeholder, count: 2 * limits.values)
    let count = try tokenize(bytes.span, onto: tape.mutableSpan, limits)
    return Array(tape.prefix(count))
}

private func tokenize(
    _ text: Span<UInt8>, onto tape: consuming MutableSpan<JSONNode>, _ limits: JSONLimits
) throws(VerificationError) -> Int {
    var tokenizer = JSONTokenizer(text, tape: tape, limits: limits)
    return try tokenizer.tokenize()
}

/// Lends `text` as a value.
func withJSON<Result>(
    _ text: String, limits: JSONLimits = .small, _ body: (borrowing JSONValue) throws -> Result
) throws -> Result {
    let bytes = Array(text.utf8)
    let tape = try tape(of: bytes, limits: limits)
    return try body(JSONValue(text: bytes.span, tape: tape.span))
}
