/// A JSON text that was read, strictly (RFC 8259): ill-formed UTF-8, a name twice in an object, and anything beyond the limits are refused.
/// For texts that are no tokens; a token is read into memory of its thread.
package struct ParsedJSON: Sendable {
    let text: [UInt8]
    let tape: [JSONNode]

    /// - Throws: the errors of ``JSONTokenizer/tokenize()``.
    package init(_ text: [UInt8], limits: JSONLimits = .document) throws(VerificationError) {
        tape = try Self.tape(of: text.span, limits)
        self.text = text
    }

    /// Reads a text where it stands and lends its root: for secrets, of which no copy is to remain.
    ///
    /// - Parameters:
    ///   - text: the whole text.
    ///   - limits: as for another text.
    ///   - body: receives the root, which cannot leave it.
    /// - Throws: as ``init(_:limits:)``; errors of `body`.
    package static func lend<Result>(
        _ text: Span<UInt8>, limits: JSONLimits = .document, _ body: (borrowing JSONValue) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let tape = try tape(of: text, limits)
        return try body(JSONValue(text: text, tape: tape.span))
    }

    private static func tape(of text: Span<UInt8>, _ limits: JSONLimits) throws(VerificationError) -> [JSONNode] {
        // Each record but the first follows one of these characters, so a short text needs little memory.
        var most = 1
        for place in text.indices {
            switch text[place] {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): most += 1
            default: break
            }
        }
        var tape = [JSONNode](repeating: .placeholder, count: min(most + 1, 2 * limits.values))
        let count = try tokenize(text, &tape, limits)
        tape.removeLast(tape.count - count)
        return tape
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
