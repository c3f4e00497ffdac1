// The containers of `JSONValueDecoder`. One generic `decode` implements the protocol requirements for all standard library types.

/// The members of an object.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder
    /// By the bytes of a member's name: Swift's strings are equal in every form of Unicode (U+212A KELVIN SIGN is `K`), names are not
    /// (RFC 8259 section 8.3).
    let places: [[UInt8]: Int]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { places.keys.compactMap { Key(stringValue: String(decoding: $0, as: UTF8.self)) } }

    func contains(_ key: Key) -> Bool { places[Array(key.stringValue.utf8)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key).decode(type) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws -> KeyedDecodingContainer<Inner> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try member(key).unkeyedContainer() }

    func superDecoder() throws -> any Decoder { try member(Place("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

    private func member(_ key: any CodingKey) throws -> JSONValueDecoder {
        guard let place = places[Array(key.stringValue.utf8)] else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "There is no \(key.stringValue).")
            throw DecodingError.keyNotFound(key, context)
        }
        return decoder.inner(at: place, key)
    }
}

/// The elements of an array, in order.
struct JSONElements: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    let length: Int
    /// The next element's record.
    var next: Int
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { length }
    var isAtEnd: Bool { currentIndex == length }

    init(decoder: JSONValueDecoder, length: Int, next: Int) {
        self.decoder = decoder
        self.length = length
        self.next = next
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try element(Any?.self).isNull
        if isNull { advance() }
        return isNull
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try taken(type) { try $0.decode(type) } }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        try taken(KeyedDecodingContainer<Inner>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try taken((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try taken((any Decoder).self) { $0 } }

    /// The result of `body` for the next element; advances past the element unless that fails.
    private mutating func taken<T>(_ type: Any.Type, _ body: (JSONValueDecoder) throws -> T) throws -> T {
        let taken = try body(element(type))
        advance()
        return taken
    }

    private func element(_ type: Any.Type) throws -> JSONValueDecoder {
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: codingPath + [Place(currentIndex)], debugDescription: "The array has ended.")
            throw DecodingError.valueNotFound(type, context)
        }
        return decoder.inner(at: next, Place(currentIndex))
    }

    private mutating func advance() {
        next = decoder.inner(at: next, Place(currentIndex)).end
        currentIndex += 1
    }
}

/// A single value.
struct JSONScalar: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

/// A position in a document, for errors.
private struct Place: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ position: Int) {
        stringValue = "\(position)"
        intValue = position
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) { self.init(intValue) }
}
