/// A type that reads a document by every container of a decoder, whatever the document has.
struct Shape: Decodable {
    private enum Name: String, CodingKey {
        case aud, nested, amr, exp
    }

    init(from decoder: any Decoder) throws {
        if let scalar = try? decoder.singleValueContainer() { _ = (scalar.decodeNil(), try? scalar.decode(String.self), scalar.codingPath) }
        if var list = try? decoder.unkeyedContainer() { Self.read(&list) }
        let members = try decoder.container(keyedBy: Name.self)
        _ = (members.allKeys, members.codingPath, members.contains(.aud), try? members.decodeNil(forKey: .exp), try? members.superDecoder())
        _ = try? members.nestedContainer(keyedBy: Name.self, forKey: .nested).decode(Bool.self, forKey: .exp)
        _ = try? members.superDecoder(forKey: .amr).singleValueContainer().decode(Double.self)
        if var list = try? members.nestedUnkeyedContainer(forKey: .amr) { Self.read(&list) }
    }

    /// Reads each element as something else, and one behind the end.
    private static func read(_ list: inout any UnkeyedDecodingContainer) {
        precondition((list.count ?? 0) >= list.currentIndex && list.codingPath.count >= 0)
        _ = (try? list.decodeNil(), try? list.nestedContainer(keyedBy: Name.self), try? list.nestedUnkeyedContainer())
        _ = (try? list.superDecoder(), try? list.decode(Int.self))
        while !list.isAtEnd, (try? list.decode(String?.self)) != nil {}
        _ = try? list.decode(Int.self)
    }
}
