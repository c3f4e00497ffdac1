// The containers of `JSONTreeEncoder`. One generic `encode` implements the protocol requirements for all standard library types.

/// The members of an object.
struct JSONTreeMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.place.member(key.stringValue).tree = .null }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(key).write(value) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.inner(encoder.place.member("super"), nil) }

    func superEncoder(forKey key: Key) -> any Encoder { member(key) }

    private func member(_ key: Key) -> JSONTreeEncoder { encoder.inner(encoder.place.member(key.stringValue), key) }
}

/// The elements of an array.
struct JSONTreeElements: UnkeyedEncodingContainer {
    let encoder: JSONTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.place.elements.count }

    func encodeNil() { encoder.place.element().tree = .null }

    func encode<T: Encodable>(_ value: T) throws { try element().write(value) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }

    func superEncoder() -> any Encoder { element() }

    private func element() -> JSONTreeEncoder { encoder.inner(encoder.place.element(), nil) }
}

/// A single value.
struct JSONTreeScalar: SingleValueEncodingContainer {
    let encoder: JSONTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.place.tree = .null }

    func encode<T: Encodable>(_ value: T) throws { try encoder.write(value) }
}
