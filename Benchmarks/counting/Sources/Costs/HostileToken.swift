import Foundation

/// A token without a valid signature, of about a given size, made to cost as much as it can before it is refused.
public struct HostileToken: Sendable {
    public let name: String
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - header: the text of the header, or any bytes.
    ///   - signature: in base64url.
    init(_ name: String, header: String, payload: String, signature: String) {
        self.name = name
        bytes = Array("\(Self.encoded(header)).\(Self.encoded(payload)).\(signature)".utf8)
    }

    init(_ name: String, text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    static func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The forms of text that cost readers of JSON most for each byte.
struct HostileText {
    /// Bytes of the whole text.
    let size: Int

    /// A string of one-letter escapes.
    func escapes(_ count: Int) -> String { String(repeating: #"\/"#, count: max(0, count) / 2) }

    /// A string of escaped code units.
    func units(_ count: Int) -> String { String(repeating: #"\u0061"#, count: max(0, count) / 6) }

    /// A string of characters with three bytes each.
    func wide(_ count: Int) -> String { String(repeating: "\u{20ac}", count: max(0, count) / 3) }

    /// As many members as fit, with names of `length` bytes that differ only near their ends.
    func members(_ most: Int, length: Int, escaped: Bool, value: String = "0") -> String {
        let count = min(most, size / (length + value.utf8.count + 4))
        let filling = escaped ? escapes(length - 3) : String(repeating: "x", count: max(0, length - 3))
        return (0..<max(1, count)).map { "\"\(filling)\(String(format: "%03d", $0))\":\(value)" }.joined(separator: ",")
    }

    /// Short members in nested objects, which fill every record.
    func records(_ most: Int, members: Int) -> String {
        let object = "{" + (0..<members).map { "\"\(String($0, radix: 36))\":0" }.joined(separator: ",") + "}"
        let count = max(1, min(most / (members + 1), size / (object.utf8.count + 1)))
        return Array(repeating: object, count: count).joined(separator: ",")
    }

    /// The same text in an array.
    func texts(_ text: String) -> String { Array(repeating: "\"\(text)\"", count: size / (text.utf8.count + 3)).joined(separator: ",") }

    /// The name of the claim in objects that are too deep to count.
    func issuers() -> String { Array(repeating: #"{"iss":0},{"iss":0}"#, count: size / 20).joined(separator: ",") }

    /// One-byte values in an array.
    func values(_ most: Int) -> String { Array(repeating: "0", count: max(1, min(most, size / 2))).joined(separator: ",") }
}
