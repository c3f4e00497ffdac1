/// Names of header fields: which of them may be set, and which could be mistaken for one that is set.
enum FieldNames {
    /// Letters, digits and hyphens. An underscore becomes a hyphen in some servers, and a field with one is dropped by others.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    static func isToken(_ name: String) -> Bool { !name.isEmpty && name.utf8.count <= 128 && name.utf8.allSatisfy(\.isTokenCharacter) }

    /// Whether `name`, in lower case, belongs to HTTP, to the connection (RFC 9110 section 7.6.1), to the gateway or to Assay's answers.
    static func isReserved(_ name: String) -> Bool { reserved.contains(name) || families.contains { name.hasPrefix($0) } }

    private static let reserved: Set = [
        "accept-encoding", "authorization", "cache-control", "connection", "content-encoding", "content-length", "content-type", "cookie",
        "date", "expect", "forwarded", "host", "http2-settings", "keep-alive", "location", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "range", "retry-after", "server", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "via",
        "www-authenticate", "x-http-method", "x-http-method-override", "x-method-override", "x-real-ip",
    ]

    private static let families = ["x-assay-", "x-envoy-", "x-forwarded-", "x-original-", "sec-"]

    /// The name that a server may read instead: CGI and its successors replace every other character by an underscore, and cannot tell
    /// the results apart. Nil for a plain name, which has one reading.
    static func alias(of name: String) -> String? {
        guard name.utf8.contains(where: { !($0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-")) }) else { return nil }
        let bytes = name.utf8.map { $0.isLetter || $0.isDigit ? $0.lowercased : UInt8(ascii: "-") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Fields that ask the upstream for another method than the request's.
    static let methodOverrides: Set = ["x-http-method", "x-http-method-override", "x-method-override"]
}
