import JWTCore

/// A JSON document copied from its tape, for comparison: objects without order, numbers by value, strings by their bytes.
enum PlainJSON: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string([UInt8])
    case array([PlainJSON])
    case object([[UInt8]: PlainJSON])

    /// Nil for a number beyond a double.
    init?(_ value: borrowing JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .true, .false: self = .bool(value.bool == true)
        case .number:
            guard let number = value.number?.double else { return nil }
            self = .number(number)
        case .string: self = .string(value.string?.utf8 ?? [])
        case .array:
            var elements: [PlainJSON?] = []
            value.forEachElement { elements.append(PlainJSON($0)) }
            self = .array(elements.compactMap { $0 })
        case .object:
            var members: [[UInt8]: PlainJSON] = [:]
            value.forEachMember { name, value in members[name.utf8] = PlainJSON(value) }
            self = .object(members)
        }
    }

    /// Limits that only hostile documents reach.
    static let limits = JSONLimits(depth: 512, members: 1024, values: 2048, stringBytes: 1 << 20, numberBytes: 1 << 20)

    /// The document, or the tokenizer's error.
    static func reading(_ text: [UInt8], limits: JSONLimits = limits) -> Result<PlainJSON?, VerificationError> {
        var tape = [JSONNode](repeating: .placeholder, count: 2 * limits.values)
        let count: Int
        do throws(VerificationError) {
            var tokenizer = JSONTokenizer(text.span, tape: tape.mutableSpan, limits: limits)
            count = try tokenizer.tokenize()
        } catch {
            return .failure(error)
        }
        return .success(PlainJSON(JSONValue(text: text.span, tape: tape.span.extracting(0..<count))))
    }

    /// "valid" or the code.
    static func verdict(_ text: [UInt8], limits: JSONLimits = limits) -> String {
        switch reading(text, limits: limits) {
        case .success: "valid"
        case .failure(let error): error.code.name
        }
    }
}
