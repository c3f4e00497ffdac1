extension JSONTree {
    /// What a value encodes as.
    ///
    /// - Parameter change: is given each value with its tree, and returns the tree to take instead.
    /// - Throws: `EncodingError` for a number that JSON does not have; the errors of the value's `encode(to:)`.
    package init(encoding value: some Encodable, changing change: @escaping JSONTreeEncoder.Change = { $1 }) throws {
        let place = JSONTreeEncoder.Place()
        try JSONTreeEncoder(place, [], change).write(value)
        self = place.tree
    }
}

/// Encodes Swift types as a ``JSONTree``.
package struct JSONTreeEncoder: Encoder {
    package typealias Change = (any Encodable, JSONTree) -> JSONTree

    /// Where a value goes. A container may be written to after its parent has gone on.
    final class Place {
        private var value: JSONTree?
        private var members: [String: Place] = [:]
        private(set) var elements: [Place] = []
        private var isArray = false

        /// Of a value that encodes nothing: an empty object, as Foundation's encoder has it.
        var tree: JSONTree {
            get { value ?? (isArray ? .array(elements.map(\.tree)) : .object(members.mapValues(\.tree))) }
            set { value = newValue }
        }

        func becomeArray() { isArray = true }

        func member(_ name: String) -> Place {
            let place = Place()
            members[name] = place
            return place
        }

        func element() -> Place {
            let place = Place()
            elements.append(place)
            return place
        }
    }

    let place: Place
    package let codingPath: [any CodingKey]
    let change: Change
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ place: Place, _ codingPath: [any CodingKey], _ change: @escaping Change) {
        self.place = place
        self.codingPath = codingPath
        self.change = change
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONTreeMembers(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        place.becomeArray()
        return JSONTreeElements(encoder: self)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { JSONTreeScalar(encoder: self) }

    func inner(_ place: Place, _ key: (any CodingKey)?) -> Self { Self(place, codingPath + (key.map { [$0] } ?? []), change) }

    func write<T: Encodable>(_ value: T) throws {
        switch value {
        case let tree as JSONTree: place.tree = tree
        case let text as String: place.tree = .string(text)
        case let bool as Bool: place.tree = .bool(bool)
        case let number as Double: place.tree = try tree(number)
        case let number as Float: place.tree = try tree(number)
        case let number as any FixedWidthInteger: place.tree = .number("\(number)")
        default:
            try value.encode(to: self)
            place.tree = change(value, place.tree)
        }
    }

    /// A whole number is written without a fraction.
    private func tree<F: BinaryFloatingPoint & LosslessStringConvertible>(_ number: F) throws -> JSONTree {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: codingPath, debugDescription: "JSON has no such number."))
        }
        let text = number.description
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
}

extension JSONTree: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let text): if let integer { try container.encode(integer) } else { try container.encode(Double(text) ?? 0) }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}
