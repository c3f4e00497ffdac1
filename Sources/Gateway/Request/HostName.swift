internal import JWTCore

/// A host without its port and a final dot, in the host's memory. It is compared without case.
struct HostView: ~Escapable {
    let text: Span<UInt8>

    /// Nil if `authority` is no host with an optional port (RFC 3986 section 3.2.2): then two readers may find different hosts in it.
    @_lifetime(copy authority)
    init?(_ authority: Span<UInt8>) {
        guard authority.count > 0, authority.count <= 320 else { return nil }
        let isAddress = authority[0] == UInt8(ascii: "[")
        let bracket = isAddress ? authority.first(UInt8(ascii: "]"), in: authority.indices).map { $0 + 1 } : nil
        var end = authority.first(UInt8(ascii: ":"), in: (bracket ?? 0)..<authority.count) ?? authority.count
        guard bracket == nil || bracket == end, Self.isPort(authority, after: end) else { return nil }
        if bracket == nil, end > 0, authority[end - 1] == UInt8(ascii: ".") { end -= 1 }
        let text = authority.extracting(0..<end)
        guard end > 0, bracket != nil ? Self.isAddress(text) : Self.isName(text) else { return nil }
        self.text = text
    }

    private static func isPort(_ authority: Span<UInt8>, after colon: Int) -> Bool {
        guard colon + 1 < authority.count else { return true }
        for place in colon + 1..<authority.count where !authority[place].isDigit { return false }
        return true
    }

    private static func isAddress(_ text: Span<UInt8>) -> Bool {
        for place in 1..<text.count - 1 {
            guard text[place].hexadecimalValue != nil || text[place] == UInt8(ascii: ":") || text[place] == UInt8(ascii: ".") else {
                return false
            }
        }
        return true
    }

    /// No label is empty: servers differ in how many dots they remove from the end.
    private static func isName(_ text: Span<UInt8>) -> Bool {
        var labels = Parts(text.indices, separator: UInt8(ascii: "."))
        while let label = labels.next(in: text) {
            guard !label.isEmpty else { return false }
            for place in label {
                let byte = text[place]
                guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else { return false }
            }
        }
        return true
    }
}

/// A condition for a host.
struct HostPattern {
    /// In lower case.
    private let name: [UInt8]
    let isWildcard: Bool

    /// Nil unless `pattern` is a host without a port, after `*.` if it stands for every name below it.
    init?(_ pattern: String) {
        isWildcard = pattern.utf8.starts(with: "*.".utf8)
        name = pattern.utf8.dropFirst(isWildcard ? 2 : 0).map(\.lowercased)
        let text = name
        guard let host = HostView(text.span), host.text.count == text.count else { return nil }
    }

    /// The hash of the name from its end.
    var textHash: TextHash {
        var hash = TextHash()
        for byte in name.reversed() { hash.add(byte) }
        return hash
    }

    /// The same for ``RouteIndex``.
    var hash: RouteHash.Host { isWildcard ? .below(textHash) : .exactly(textHash) }

    func matches(_ host: HostView) -> Bool {
        let text = host.text
        guard isWildcard else { return text.equals(lowercased: name, in: text.indices) }
        guard text.count > name.count + 1 else { return false }
        let start = text.count - name.count
        return text.equals(lowercased: name, in: start..<text.count) && text[start - 1] == UInt8(ascii: ".")
    }

    /// Whether this pattern, without a wildcard, is one of the hosts of `other`.
    func isCovered(by other: Self) -> Bool {
        let text = name
        guard !isWildcard, let host = HostView(text.span) else { return false }
        return other.matches(host)
    }
}
