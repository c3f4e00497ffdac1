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
        "x-request-id",
    ]

    private static let families = ["x-assay-", "x-envoy-", "x-forwarded-", "x-original-", "sec-"]

    /// Fields that ask the upstream for another method than the request's.
    static let methodOverrides = ["x-http-method", "x-http-method-override", "x-method-override"].map { Array($0.utf8) }

    /// Whether a server may read the name as a field that asks for another method.
    static func isMethodOverride(_ name: Span<UInt8>) -> Bool {
        for override in methodOverrides where name.isAlias(of: override, in: name.indices) { return true }
        return false
    }

    /// Whether the name has one reading.
    static func isPlain(_ name: Span<UInt8>) -> Bool {
        for place in name.indices where !(name[place].isLetter || name[place].isDigit || name[place] == UInt8(ascii: "-")) { return false }
        return true
    }
}

extension Span<UInt8> {
    /// Whether a server may read the name in `range` as `name`, which is in lower case: CGI and its successors replace every character but
    /// letters and digits by an underscore, and cannot tell the results apart.
    func isAlias(of name: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == name.count else { return false }
        for place in 0..<name.count {
            let byte = self[range.lowerBound + place]
            guard name[place] == (byte.isLetter || byte.isDigit ? byte.lowercased : UInt8(ascii: "-")) else { return false }
        }
        return true
    }
}
