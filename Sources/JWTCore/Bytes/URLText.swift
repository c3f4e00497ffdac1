/// The parts of a URL with an authority or a path (RFC 3986).
package struct URLText {
    /// In lower case.
    package let scheme: String
    package let hasUser: Bool
    /// In lower case; an IPv6 address in its brackets. Empty without an authority.
    package let host: String
    package let port: Int?
    package let path: String
    package let query: String?
    package let fragment: String?

    /// - Returns: nil for a character that no URL has, a missing scheme, an invalid host, or an invalid port.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy(Self.isURLByte), let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isLetter, scheme.utf8.allSatisfy(Self.isSchemeByte) else { return nil }
        self.scheme = scheme.lowercased()
        var rest = text[text.index(after: colon)...]
        fragment = Self.takeEnd(of: &rest, from: "#")
        query = Self.takeEnd(of: &rest, from: "?")
        var authority: Substring = ""
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            authority = rest.prefix { $0 != "/" }
            rest = rest.dropFirst(authority.count)
        }
        let user = authority.lastIndex(of: "@")
        hasUser = user != nil
        if let user { authority = authority[authority.index(after: user)...] }
        guard let (host, port) = Self.place(authority) else { return nil }
        (self.host, self.port) = (host, port)
        path = Self.decoded(rest)
    }

    /// The names and values of the query, decoded; a value is nil without an equals sign.
    package var queryItems: [(name: String, value: String?)] {
        guard let query else { return [] }
        return query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let sign = item.firstIndex(of: "=") else { return (Self.decoded(item), nil) }
            return (Self.decoded(item[..<sign]), Self.decoded(item[item.index(after: sign)...]))
        }
    }

    private static func takeEnd(of text: inout Substring, from sign: Character) -> String? {
        guard let start = text.firstIndex(of: sign) else { return nil }
        defer { text = text[..<start] }
        return String(text[text.index(after: start)...])
    }

    private static func place(_ authority: Substring) -> (host: String, port: Int?)? {
        var host = authority, port: Int?
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            let digits = authority[authority.index(after: colon)...]
            host = authority[..<colon]
            if !digits.isEmpty {
                guard let number = UInt16(digits), digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
                port = Int(number)
            }
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let inner = isBracketed ? host.dropFirst().dropLast() : host
        guard isBracketed ? inner.utf8.allSatisfy(isAddressByte) : !inner.utf8.contains(where: { ":[]%".utf8.contains($0) }) else {
            return nil
        }
        return (host.lowercased(), port)
    }

    /// The text with its percent-encoded octets; as it is where those are not UTF-8.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(octet)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(text)
    }

    private static func isURLByte(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7f && !"\"<>\\^`{|}".utf8.contains(byte) }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "+-.".utf8.contains(byte)
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF:.".utf8.contains(byte) }
}
