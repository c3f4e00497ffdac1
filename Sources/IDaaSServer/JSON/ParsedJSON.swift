package import JWTCore

/// A JSON text that was read, strictly (RFC 8259): ill-formed UTF-8, a name twice in an object, and anything beyond the limits are refused.
///
/// The server reads every JSON text by this type: bodies and their members, records of the store, answers of other providers, files.
package struct ParsedJSON: Sendable {
    private let text: [UInt8]
    private let tape: [JSONNode]

    /// - Throws: the errors of `JSONTokenizer.tokenize()`.
    package init(_ text: [UInt8], limits: JSONLimits = .document) throws(VerificationError) {
        var limits = limits
        // No more records than the text can have values and names, so that a short text needs little memory.
        var tape = [JSONNode](repeating: .placeholder, count: min(2 * limits.values, text.count + 2))
        limits.values = min(limits.values, max(1, tape.count / 2))
        let count = try Self.tokenize(text.span, &tape, limits)
        self.text = text
        self.tape = Array(tape.prefix(count))
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
    /// The body of a request, of at most ``JSONBody/maximumBytes``.
    static let requestBody = JSONLimits(depth: 16, members: 64, values: 4_096, stringBytes: JSONBody.maximumBytes, numberBytes: 64)
    /// A text whose length is limited elsewhere, or that the operator wrote.
    package static let document = JSONLimits(depth: 64, members: 65_536, values: 1_048_576, stringBytes: 1_048_576, numberBytes: 64)
}
