#if Gateway
/// Text of a request that a log may show. Names of paths and hosts are shown, what could be a secret is not. It is cut by bytes: a mark that
/// combines with a `?` or a `/` must not hide it.
package enum LoggedText {
    private static let longest = 256
    private static let mostParameters = 16
    private static let omission = Array("…".utf8)
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]

    package static func method(_ method: String) -> String { methods.contains(method) ? method : "other" }

    /// The path, and the names of the query's parameters without their values.
    package static func target(_ target: String) -> String {
        let bytes = Array(target.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var text: [UInt8] = []
        for segment in bytes[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.startIndex > 0 { text.append(UInt8(ascii: "/")) }
            append(segment, to: &text)
        }
        guard end < bytes.endIndex else { return shortened(text) }
        text.append(UInt8(ascii: "?"))
        for (position, parameter) in bytes[(end + 1)...].split(separator: UInt8(ascii: "&")).prefix(mostParameters).enumerated() {
            if position > 0 { text.append(UInt8(ascii: "&")) }
            append(parameter.prefix { $0 != UInt8(ascii: "=") }, to: &text)
            text.append(UInt8(ascii: "="))
            text += omission
        }
        return shortened(text)
    }

    private static func shortened(_ text: [UInt8]) -> String {
        let isShort = text.count <= longest
        return String(decoding: isShort ? text[...] : text.prefix(longest / 2) + omission, as: UTF8.self)
    }

    /// The host as it is understood: in lower case, without its port. A text that is no host is an omission.
    package static func host(_ authority: String) -> String {
        let bytes = Array(authority.utf8.prefix(320))
        if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")), end <= 40,
            bytes[1..<end].allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
        {
            return String(decoding: bytes[...end], as: UTF8.self)
        }
        var text: [UInt8] = []
        for label in bytes.prefix(while: { $0 != UInt8(ascii: ":") }).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        {
            if label.startIndex > 0 { text.append(UInt8(ascii: ".")) }
            append(label, to: &text)
        }
        return shortened(Array(String(decoding: text, as: UTF8.self).lowercased().utf8))
    }

    /// An address in digits; nil for another text.
    package static func address(_ text: String) -> String? {
        let isAddress = text.utf8.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        return isAddress && (2...longestAddress).contains(text.utf8.count) ? text : nil
    }

    /// A name that a client may have chosen: at most 128 bytes of printable ASCII, with a `?` for others. A text with the beginning of a token in it
    /// is an omission.
    package static func word(_ text: String) -> String {
        let bytes = text.utf8.prefix(longestWord).map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
        guard !isTokenLike(bytes[...]) else { return String(decoding: omission, as: UTF8.self) }
        return String(decoding: text.utf8.count > longestWord ? bytes + omission : bytes, as: UTF8.self)
    }

    private static let longestWord = 128
    /// That of an IPv4 address within one of IPv6.
    private static let longestAddress = 45

    /// Appends `text`, or an omission if it could be a secret or a part of one: a token, a code of a reset, an identifier. A name of a path
    /// has few digits.
    private static func append(_ text: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += isName(text) ? text : omission[...]
    }

    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.count(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        guard text.count <= longestName, digits <= mostDigits, !isTokenLike(text) else { return false }
        return text.count <= longestMixedName || !hasBothCases(text)
    }

    /// Base64url of a JSON object begins with `eyJ`.
    private static func isTokenLike(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.dropLast(2).contains { text[$0...].starts(with: "eyJ".utf8) }
    }

    private static let longestName = 48
    private static let longestMixedName = 24
    private static let mostDigits = 4

    private static func hasBothCases(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            && text.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
#endif
