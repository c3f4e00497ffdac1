/// A path, decoded, if it has exactly one reading.
///
/// A gateway, this policy and the upstream must not read a path differently: then `/public/..;/admin` is public here and the
/// administration there. So a path with dot segments, encoded separators, empty segments, parameters, controls, segments that end with a
/// space (some servers trim them), double encoding or text that is not UTF-8 has no reading. Case matters.
struct PathReading {
    /// The path after percent-decoding. An encoded slash that the rules permit stays `%2F`; a path can have that text in no other way.
    let bytes: [UInt8]

    /// Nil if the path has more than one reading.
    init?(_ raw: ArraySlice<UInt8>, _ rules: PathRules) {
        guard raw.first == UInt8(ascii: "/"), let bytes = Self.decoded(raw, rules), Self.hasPlainSegments(bytes, rules),
            bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil
        else { return nil }
        self.bytes = bytes
    }

    /// Whether a path that no route looks at has an acceptable form: a gateway may write it to a log or a header.
    static func isWellFormed(_ raw: ArraySlice<UInt8>) -> Bool {
        raw.first == UInt8(ascii: "/") && raw.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }
    }

    /// Whether this is `path`, or below it.
    func begins(with path: [UInt8]) -> Bool {
        guard bytes.starts(with: path) else { return false }
        return bytes.count == path.count || path.last == UInt8(ascii: "/") || bytes[path.count] == UInt8(ascii: "/")
    }

    private static func decoded(_ raw: ArraySlice<UInt8>, _ rules: PathRules) -> [UInt8]? {
        var bytes: [UInt8] = [], percentSigns: [Int] = []
        bytes.reserveCapacity(raw.count)
        var position = raw.startIndex
        while position < raw.endIndex {
            let byte = raw[position]
            if byte == UInt8(ascii: "%") {
                guard let decoded = raw.percentDecoded(at: position), append(decoded, to: &bytes, rules) else { return nil }
                if decoded == UInt8(ascii: "%") { percentSigns.append(bytes.count - 1) }
                position += 3
            } else {
                guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "#"),
                    byte != UInt8(ascii: ";") || rules.allowsParameters
                else { return nil }
                bytes.append(byte)
                position += 1
            }
        }
        // A second decoding would make another byte of it.
        return percentSigns.contains { bytes[...].percentDecoded(at: $0) != nil } ? nil : bytes
    }

    /// Appends a byte that was percent-encoded; false if that may mean something else to another reader.
    private static func append(_ byte: UInt8, to bytes: inout [UInt8], _ rules: PathRules) -> Bool {
        switch byte {
        case 0..<0x20, 0x7f, UInt8(ascii: "\\"): return false
        case UInt8(ascii: "/"):
            guard rules.allowsEncodedSlashes else { return false }
            bytes += encodedSlash
        case UInt8(ascii: ";"):
            guard rules.allowsParameters else { return false }
            bytes.append(byte)
        default: bytes.append(byte)
        }
        return true
    }

    private static func hasPlainSegments(_ bytes: [UInt8], _ rules: PathRules) -> Bool {
        var rest = bytes.dropFirst()
        while let end = rest.firstIndex(of: UInt8(ascii: "/")) {
            guard rules.allowsEmptySegments || end > rest.startIndex, isPlain(rest[..<end]) else { return false }
            rest = rest[(end + 1)...]
        }
        return isPlain(rest)
    }

    /// Whether the segment is itself, also for those who decode encoded slashes or remove parameters.
    private static func isPlain(_ segment: ArraySlice<UInt8>) -> Bool {
        var rest = segment
        for position in segment.indices where segment[position] == UInt8(ascii: "%") && segment[position...].starts(with: encodedSlash) {
            guard isName(segment[rest.startIndex..<position]) else { return false }
            rest = segment[(position + encodedSlash.count)...]
        }
        return isName(rest)
    }

    /// Whether the segment is no dot segment, and does not end with a space.
    private static func isName(_ segment: ArraySlice<UInt8>) -> Bool {
        let name = segment.prefix { $0 != UInt8(ascii: ";") }
        guard name.last != 0x20 else { return false }
        return !(1...2).contains(name.count) || name.contains { $0 != UInt8(ascii: ".") }
    }

    private static let encodedSlash = Array("%2F".utf8)
}

extension ArraySlice<UInt8> {
    /// The byte that the three characters from `position` encode (RFC 3986 section 2.1); nil if they are no percent-encoding.
    func percentDecoded(at position: Int) -> UInt8? {
        guard position + 2 < endIndex, self[position] == UInt8(ascii: "%"), let high = self[position + 1].hexadecimalValue,
            let low = self[position + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
