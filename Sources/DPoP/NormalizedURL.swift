/// A URL of HTTP without query and fragment, in the one form that `htu` is compared in (RFC 9449 section 4.3, RFC 3986 sections 6.2.2 and
/// 6.2.3): scheme and host in lower case, no default port, unreserved characters not encoded, other encodings in upper case, no dot
/// segments, at least a slash as path.
package struct NormalizedURL: Equatable {
    package private(set) var bytes: [UInt8] = []

    /// Reads a whole URL, such as `htu`.
    ///
    /// Nil for what is no http or https URL with a host, and for one with a user, a character that no URL has or a broken encoding.
    package init?(_ url: Span<UInt8>) {
        guard let colon = url.place(of: UInt8(ascii: ":"), from: 0), colon + 2 < url.count, url[colon + 1] == UInt8(ascii: "/"),
            url[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        var end = colon + 3
        while end < url.count, url[end] != UInt8(ascii: "/"), url[end] != UInt8(ascii: "?"), url[end] != UInt8(ascii: "#") { end += 1 }
        self.init(
            scheme: url.extracting(0..<colon), authority: url.extracting(colon + 3..<end), target: url.extracting(end..<url.count))
    }

    /// Reads the parts of a request's URL. Nil as for ``init(_:)``.
    package init?(scheme: Span<UInt8>, authority: Span<UInt8>, target: Span<UInt8>) {
        bytes.reserveCapacity(scheme.count + authority.count + target.count + 8)
        guard let port = appendScheme(scheme), appendAuthority(authority, defaultPort: port) else { return nil }
        var end = 0
        while end < target.count, target[end] != UInt8(ascii: "?"), target[end] != UInt8(ascii: "#") { end += 1 }
        guard appendPath(target.extracting(0..<end)), Self.isURLText(target.extracting(end..<target.count)) else { return nil }
    }

    /// - Returns: the scheme's default port; nil for another scheme.
    private mutating func appendScheme(_ scheme: Span<UInt8>) -> Int? {
        for place in scheme.indices { bytes.append(scheme[place].lowercased) }
        let isSecure = bytes.elementsEqual("https".utf8)
        guard isSecure || bytes.elementsEqual("http".utf8) else { return nil }
        bytes += "://".utf8
        return isSecure ? 443 : 80
    }

    /// RFC 3986 section 3.2. A name has no percent-encoding here: DNS knows none.
    private mutating func appendAuthority(_ authority: Span<UInt8>, defaultPort: Int) -> Bool {
        guard !authority.isEmpty else { return false }
        var end = authority.count
        if authority[0] == UInt8(ascii: "[") {
            guard let closing = authority.place(of: UInt8(ascii: "]"), from: 0), closing > 1 else { return false }
            end = closing + 1
            for place in 1..<closing where !authority[place].isAddressByte { return false }
        } else {
            end = authority.place(of: UInt8(ascii: ":"), from: 0) ?? authority.count
            guard end > 0 else { return false }
            for place in 0..<end where !authority[place].isHostByte { return false }
        }
        for place in 0..<end { bytes.append(authority[place].lowercased) }
        guard end < authority.count else { return true }
        guard authority[end] == UInt8(ascii: ":") else { return false }
        return appendPort(authority.extracting(end + 1..<authority.count), default: defaultPort)
    }

    private mutating func appendPort(_ digits: Span<UInt8>, default defaultPort: Int) -> Bool {
        guard digits.count <= 5 else { return false }
        var port = 0
        for place in digits.indices {
            guard digits[place].isDigit else { return false }
            port = 10 * port + Int(digits[place] - UInt8(ascii: "0"))
        }
        guard port <= 65_535 else { return false }
        if !digits.isEmpty, port != defaultPort { bytes += ":\(port)".utf8 }
        return true
    }

    /// Appends the path without its dot segments (RFC 3986 section 5.2.4), which may be encoded.
    private mutating func appendPath(_ path: Span<UInt8>) -> Bool {
        guard !path.isEmpty else {
            bytes.append(UInt8(ascii: "/"))
            return true
        }
        guard path[0] == UInt8(ascii: "/") else { return false }
        let first = bytes.count
        var place = 0
        while place < path.count {
            let end = path.place(of: UInt8(ascii: "/"), from: place + 1) ?? path.count, start = bytes.count
            bytes.append(UInt8(ascii: "/"))
            guard appendSegment(path.extracting(place + 1..<end)) else { return false }
            removeDots(from: start, behind: first, isLast: end == path.count)
            place = end
        }
        return true
    }

    private mutating func appendSegment(_ segment: Span<UInt8>) -> Bool {
        var place = 0
        while place < segment.count {
            let byte = segment[place]
            if byte == UInt8(ascii: "%") {
                guard place + 2 < segment.count, let high = segment[place + 1].hexadecimalValue,
                    let low = segment[place + 2].hexadecimalValue
                else { return false }
                let decoded = high << 4 | low
                if decoded.isUnreserved {
                    bytes.append(decoded)
                } else {
                    bytes += [byte, segment[place + 1].uppercased, segment[place + 2].uppercased]
                }
                place += 3
            } else {
                guard byte.isURLByte else { return false }
                bytes.append(byte)
                place += 1
            }
        }
        return true
    }

    /// - Parameters:
    ///   - start: of the last segment, at its slash.
    ///   - first: of the path.
    private mutating func removeDots(from start: Int, behind first: Int, isLast: Bool) {
        let segment = bytes[(start + 1)...]
        let isOne = segment.elementsEqual(".".utf8), isTwo = segment.elementsEqual("..".utf8)
        guard isOne || isTwo else { return }
        bytes.removeSubrange(start...)
        if isTwo, bytes.count > first {
            let parent = bytes[first...].lastIndex(of: UInt8(ascii: "/")) ?? first
            bytes.removeSubrange(parent...)
        }
        if isLast { bytes.append(UInt8(ascii: "/")) }
    }

    /// Whether the text is a host's name as ``init(scheme:authority:target:)`` takes it, without a port.
    static func isName(_ text: Span<UInt8>) -> Bool {
        for place in text.indices where !text[place].isHostByte { return false }
        return true
    }

    /// Whether the text is a path without percent-encoding, query and fragment.
    static func isPlainPath(_ text: Span<UInt8>) -> Bool {
        for place in text.indices where !text[place].isURLByte || text[place] == UInt8(ascii: "%") || text[place] == UInt8(ascii: "?") {
            return false
        }
        return true
    }

    /// Whether the text is nothing, or a query or fragment.
    static func endsPath(_ text: Span<UInt8>) -> Bool {
        text.isEmpty || (text[0] == UInt8(ascii: "?") || text[0] == UInt8(ascii: "#")) && isURLText(text)
    }

    /// What is ignored has to be a part of a URL all the same.
    private static func isURLText(_ text: Span<UInt8>) -> Bool {
        for place in text.indices where !text[place].isURLByte && text[place] != UInt8(ascii: "#") { return false }
        return true
    }
}

extension Span<UInt8> {
    fileprivate func place(of byte: UInt8, from start: Int) -> Int? {
        var place = start
        while place < count {
            if self[place] == byte { return place }
            place += 1
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    fileprivate var isLetter: Bool { lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z") }
    fileprivate var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
    fileprivate var uppercased: UInt8 { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") ? self & 0xdf : self }

    /// RFC 3986 section 2.3.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isDigit || isLetter
        }
    }

    /// A character of a path, a query or a fragment, without the percent sign.
    fileprivate var isURLByte: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "#"):
            false
        default: self > 0x20 && self < 0x7f
        }
    }

    fileprivate var isHostByte: Bool { isUnreserved }

    fileprivate var isAddressByte: Bool { hexadecimalValue != nil || self == UInt8(ascii: ":") || self == UInt8(ascii: ".") }

    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
