/// Decodes Swift types from a copy of a document that the tokenizer accepted: no duplicate names, limited depth and size.
struct JSONValueDecoder: Decoder {
    private let text: [UInt8]
    private let tape: [JSONNode]
    private let index: Int
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: borrowing JSONValue) {
        text = Array(copying: value.text)
        tape = Array(copying: value.tape)
        index = value.index
        codingPath = []
    }

    private init(_ parent: Self, at index: Int, _ key: any CodingKey) {
        text = parent.text
        tape = parent.tape
        self.index = index
        codingPath = parent.codingPath + [key]
    }

    /// The decoder of a value within this one.
    func inner(at index: Int, _ key: any CodingKey) -> Self { Self(self, at: index, key) }

    private var value: JSONValue { @_lifetime(borrow self) get { JSONValue(text: text.span, tape: tape.span, index: index) } }

    var isNull: Bool { value.isNull }

    /// The record after this value and everything in it.
    var end: Int { Int(tape[index].next) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.isObject else { throw mismatch([String: any Decodable].self, "an object") }
        var places: [[UInt8]: Int] = [:]
        var member = index + 1
        for _ in 0..<value.count {
            places[Array(value.memberName(member).string.utf8)] = member + 1
            member = Int(tape[member + 1].next)
        }
        return KeyedDecodingContainer(JSONMembers(decoder: self, places: places))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard value.isArray else { throw mismatch([any Decodable].self, "an array") }
        return JSONElements(decoder: self, length: value.count, next: index + 1)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { JSONScalar(decoder: self) }

    /// A value of any type; standard library types are read directly from the document.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let decoded: Any? =
            switch type {
            case is String.Type: try string()
            case is Bool.Type: try bool()
            case is Double.Type: try floatingPoint(Double.self)
            case is Float.Type: try floatingPoint(Float.self)
            case let type as any FixedWidthInteger.Type: try integer(type)
            default: nil
            }
        guard let decoded else { return try T(from: self) }
        guard let result = decoded as? T else { throw mismatch(type, "\(type)") }
        return result
    }

    private func string() throws -> String {
        guard let string = value.string else { throw mismatch(String.self, "a string") }
        return string.string
    }

    private func bool() throws -> Bool {
        guard let bool = value.bool else { throw mismatch(Bool.self, "true or false") }
        return bool
    }

    private func floatingPoint<F: BinaryFloatingPoint & LosslessStringConvertible>(_ type: F.Type) throws -> F {
        guard let number = value.number else { throw mismatch(type, "a number") }
        guard let nearest = F(number.text), nearest.isFinite else { throw corrupted("The number is beyond the range of \(type).") }
        return nearest
    }

    private func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        guard let number = value.number else { throw mismatch(type, "a number") }
        guard number.isInteger else { throw corrupted("The number has a fraction or an exponent.") }
        guard let exact = I(number.text) else { throw corrupted("The number does not fit into \(type).") }
        return exact
    }

    func date() throws -> NumericDate {
        guard let number = value.number else { throw mismatch(NumericDate.self, "a number") }
        guard let date = NumericDate(number) else { throw corrupted("The date is beyond the year 9999.") }
        return date
    }

    /// The errors never contain the value: it may be personal data.
    private func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(wanted), found \(value.kind.name).")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func corrupted(_ what: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: what))
    }
}

extension JSONNode.Kind {
    fileprivate var name: String {
        switch self {
        case .null: "null"
        case .true, .false: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
