/// A JSON document as a value of its own: for what is no token, such as answers of servers, files of test cases, and what a command prints.
package enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// Reads a document as strictly as a token's, but of any size.
    ///
    /// - Throws: the error of the tokenizer, with the offset.
    package init(parsing text: [UInt8]) throws(VerificationError) {
        let parsed = try ParsedJSON(text, limits: Self.limits(text))
        self.init(parsed.root)
    }

    package init(_ value: borrowing JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = .number(value.number?.text ?? "0")
        case .string: self = .string(value.string?.string ?? "")
        case .array:
            var elements: [JSONTree] = []
            value.forEachElement { elements.append(Self($0)) }
            self = .array(elements)
        case .object:
            var members: [String: JSONTree] = [:]
            value.forEachMember { name, value in members[name.string] = Self(value) }
            self = .object(members)
        }
    }

    /// Decodes a type from a document.
    ///
    /// - Throws: `DecodingError`, also for a text that is no document.
    package static func decode<T: Decodable>(_ type: T.Type, from text: [UInt8]) throws -> T {
        let parsed: ParsedJSON
        do throws(VerificationError) {
            parsed = try ParsedJSON(text, limits: limits(text))
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The text is not JSON: \(error.code.name)."))
        }
        return try parsed.decode(type)
    }

    /// Of any size; the caller has read the text within its own limit.
    private static func limits(_ text: [UInt8]) -> JSONLimits {
        JSONLimits(depth: 128, members: text.count + 1, values: text.count + 1, stringBytes: text.count, numberBytes: text.count)
    }

    // Values. Each is nil for a value of another type.

    package subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }

    package var members: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }

    /// A number without a fraction, in any notation.
    package var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
    }
}
