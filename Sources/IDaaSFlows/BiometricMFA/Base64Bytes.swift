internal import JWTCore

/// Bytes that a document has as a text in Base64.
struct Base64Bytes: Codable, Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64.bytes(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not in Base64.")
        }
        self.bytes = bytes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64.text(bytes))
    }
}
