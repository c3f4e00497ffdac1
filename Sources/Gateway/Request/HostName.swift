/// A host without its port and a final dot, in lower case.
struct HostName: Hashable {
    let text: [UInt8]

    /// Nil if `authority` is no host with an optional port (RFC 3986 section 3.2.2): then two readers may find different hosts in it.
    init?(_ authority: String) {
        var bytes = Array(authority.utf8)
        guard bytes.count <= 320 else { return nil }
        let end = bytes.first == UInt8(ascii: "[") ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : nil
        let colon = bytes[(end ?? 0)...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        guard end == nil || end == colon, bytes[colon...].dropFirst().allSatisfy(\.isDigit) else { return nil }
        bytes.removeSubrange(colon...)
        if end == nil, bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        guard !bytes.isEmpty, end != nil ? Self.isAddress(bytes) : Self.isName(bytes) else { return nil }
        for place in bytes.indices { bytes[place] = bytes[place].lowercased }
        text = bytes
    }

    private static func isAddress(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst().dropLast().allSatisfy { $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    /// No label is empty: servers differ in how many dots they remove from the end.
    private static func isName(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        }
    }
}

/// A condition for a host.
struct HostPattern {
    private let name: HostName
    private let isWildcard: Bool

    /// Nil unless `pattern` is a host without a port, after `*.` if it stands for every name below it.
    init?(_ pattern: String) {
        isWildcard = pattern.utf8.starts(with: "*.".utf8)
        let rest = isWildcard ? String(pattern.dropFirst(2)) : pattern
        guard let name = HostName(rest), name.text.elementsEqual(rest.utf8.map(\.lowercased)) else { return nil }
        self.name = name
    }

    func matches(_ host: HostName) -> Bool {
        guard isWildcard else { return host == name }
        let text = host.text
        guard text.count > name.text.count + 1 else { return false }
        return text.suffix(name.text.count).elementsEqual(name.text) && text[text.count - name.text.count - 1] == UInt8(ascii: ".")
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isUpperCaseLetter: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    var isLetter: Bool { lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z") }
    var lowercased: UInt8 { isUpperCaseLetter ? self | 0x20 : self }
    /// A printable ASCII character or a space.
    var isPrintable: Bool { self >= 0x20 && self < 0x7f }
    /// A character of a token (RFC 9110 section 5.6.2).
    var isTokenCharacter: Bool { isDigit || isLetter || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
