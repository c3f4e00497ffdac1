/// A JSON text that was read, strictly (RFC 8259): ill-formed UTF-8, a name twice in an object, and anything beyond the limits are refused.
/// For texts that are no tokens; a token is read into memory of its thread.
package struct ParsedJSON: Sendable {
    let text: [UInt8]
    let tape: [JSONNode]

    /// - Throws: the errors of ``JSONTokenizer/tokenize()``.
    package init(_ text: [UInt8], limits: JSONLimits = .document) throws(VerificationError) {
        // Each record but the first follows one of these characters, so a short text needs little memory.
        let most = text.reduce(1) { count, byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
            default: count
            }
        }
        var tape = [JSONNode](repeating: .placeholder, count: min(most + 1, 2 * limits.values))
        let count = try Self.tokenize(text.span, &tape, limits)
        tape.removeLast(tape.count - count)
        self.text = text
        self.tape = tape
    }

    package var root: JSONValue { @_lifetime(borrow self) get { JSONValue(text: text.span, tape: tape.span) } }

    /// - Throws: `DecodingError`, without a value.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try root.decode(type) }

    private static func tokenize(_ text: Span<UInt8>, _ tape: inout [JSONNode], _ limits: JSONLimits) throws(VerificationError) -> Int {
        var tokenizer = JSONTokenizer(text, tape: tape.mutableSpan, limits: limits)
        return try tokenizer.tokenize()
    }
}

extension JSONLimits {
    /// A text whose length is limited elsewhere, or that the operator wrote.
    package static let document = JSONLimits(depth: 64, members: 65_536, values: 1_048_576, stringBytes: 1_048_576, numberBytes: 64)
}
