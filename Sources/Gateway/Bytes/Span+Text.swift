internal import JWTCore

/// Comparisons and searches in the host's bytes. Nothing is copied.
extension Span<UInt8> {
    func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    func equals(_ other: [UInt8], in range: Range<Int>) -> Bool { extracting(range).equals(other.span) }

    /// - Parameter other: in lower case. Only ASCII letters have cases here.
    func equals(lowercased other: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for place in 0..<other.count where self[range.lowerBound + place].lowercased != other[place] { return false }
        return true
    }

    func begins(with other: [UInt8], in range: Range<Int>) -> Bool {
        range.count >= other.count && equals(other, in: range.lowerBound..<range.lowerBound + other.count)
    }

    /// The part of `range` without spaces and tabs at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound, end = range.upperBound
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }

    /// The byte that the three characters from `place` encode (RFC 3986 section 2.1); nil if they are no percent-encoding.
    func percentDecoded(at place: Int, before end: Int) -> UInt8? {
        guard place + 2 < end, self[place] == UInt8(ascii: "%"), let high = self[place + 1].hexadecimalValue,
            let low = self[place + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

extension [UInt8] {
    mutating func append(_ text: Span<UInt8>) { unsafe text.withUnsafeBufferPointer { unsafe append(contentsOf: $0) } }

    /// Replaces the bytes by what `text` encodes, in memory that is already there if it suffices. False for what is no base64url.
    mutating func replace(byBase64URL text: Span<UInt8>) -> Bool {
        removeAll(keepingCapacity: true)
        for _ in 0..<Base64URL.decodedCount(text.count) { append(0) }
        var bytes = mutableSpan
        do throws(VerificationError) {
            return try Base64URL.decode(text, into: &bytes) == bytes.count
        } catch {
            return false
        }
    }

    mutating func append(_ words: String) { append(contentsOf: words.utf8) }

    /// Appends `text` as a part of a query: every byte but the unreserved ones (RFC 3986 section 2.3) is percent-encoded.
    mutating func append(percentEncoding text: Span<UInt8>) {
        for place in text.indices {
            if text[place].isUnreserved { append(text[place]) } else { append(percentEncoding: text[place]) }
        }
    }

    /// RFC 3986 section 2.1.
    mutating func append(percentEncoding byte: UInt8) {
        append(UInt8(ascii: "%"))
        append((byte >> 4).hexadecimalDigit)
        append((byte & 15).hexadecimalDigit)
    }
}

/// Splits a range of bytes at a separator, one part after the other. Empty parts count.
struct Parts {
    private var start: Int
    private let end: Int
    private let separator: UInt8
    private var isOver = false

    init(_ range: Range<Int>, separator: UInt8) {
        start = range.lowerBound
        end = range.upperBound
        self.separator = separator
    }

    mutating func next(in text: Span<UInt8>) -> Range<Int>? {
        guard !isOver else { return nil }
        let part = start..<(text.first(separator, in: start..<end) ?? end)
        isOver = part.upperBound == end
        start = part.upperBound + 1
        return part
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || self == 0x09 }
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isUpperCaseLetter: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    var isLetter: Bool { lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z") }
    var lowercased: UInt8 { isUpperCaseLetter ? self | 0x20 : self }
    /// RFC 3986 section 2.3.
    var isUnreserved: Bool { isDigit || isLetter || "-._~".utf8.contains(self) }
    /// A printable ASCII character or a space.
    var isPrintable: Bool { self >= 0x20 && self < 0x7f }
    /// A character of a token (RFC 9110 section 5.6.2).
    var isTokenCharacter: Bool { isDigit || isLetter || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// The digit of a value below 16, in upper case.
    fileprivate var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") - 10 + self }

    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
