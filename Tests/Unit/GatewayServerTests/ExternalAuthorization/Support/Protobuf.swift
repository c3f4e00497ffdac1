/// Protobuf bytes as the encoding's definition has them, written without the code under test.
enum Protobuf {
    static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
    }

    static func tag(_ number: UInt64, wireType: UInt64) -> [UInt8] { varint(number << 3 | wireType) }

    static func number(_ number: UInt64, _ value: UInt64) -> [UInt8] { tag(number, wireType: 0) + varint(value) }

    static func bytes(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
        tag(number, wireType: 2) + varint(UInt64(content.count)) + content
    }

    static func text(_ number: UInt64, _ text: String) -> [UInt8] { bytes(number, Array(text.utf8)) }

    /// An entry of a map of strings.
    static func entry(_ number: UInt64, _ key: String, _ value: String) -> [UInt8] {
        bytes(number, text(1, key) + text(2, value))
    }

    /// A `CheckRequest` with an `HttpRequest` of these bytes.
    static func checkRequest(http: [UInt8], attributes: [UInt8] = []) -> [UInt8] { bytes(1, bytes(4, bytes(2, http)) + attributes) }

    static let get: [UInt8] = text(2, "GET") + text(4, "/")
}
