/// A header field of a request or a response (RFC 9110 section 5). Its description, for logs, is only its name.
public struct HeaderField: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { name }

    /// Whether this is its name, in any case.
    package func isNamed(_ name: String) -> Bool {
        self.name.utf8.elementsEqual(name.utf8) || self.name.lowercased() == name.lowercased()
    }

    /// Whether it may be sent unchanged: its name is a token, its value has no control characters (RFC 9110 section 5.5), and it is not a
    /// field for framing or routing.
    public var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte) && value.utf8.allSatisfy { $0 == 9 || $0 >= 0x20 && $0 != 0x7f }
            && !Self.ofTheConnection.contains(name.lowercased())
    }

    private static let ofTheConnection: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
