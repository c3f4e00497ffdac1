/// One certificate in PEM, percent-encoded as nginx and Envoy write it: every byte is escaped but letters, digits and `-._~`.
enum EscapedPEM {
    /// The DER; nil for any other text, such as a chain.
    static func certificate(_ text: Span<UInt8>) -> [UInt8]? { certificate(text, text.indices) }

    static func certificate(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        guard let plain = unescaped(text, range) else { return nil }
        return certificate(pem: plain.span)
    }

    private static let first = Array("-----BEGIN CERTIFICATE-----\n".utf8)
    private static let last = Array("-----END CERTIFICATE-----".utf8)
    private static let lineLength = 64

    /// RFC 7468 section 3, strictly: lines of 64 characters, and a shorter last one. The line break at the end may be missing.
    private static func certificate(pem: Span<UInt8>) -> [UInt8]? {
        let count = pem.count - (pem.count > 0 && pem[pem.count - 1] == UInt8(ascii: "\n") ? 1 : 0)
        let start = first.count, end = count - last.count
        guard end > start, pem.extracting(0..<start).equals(first), pem.extracting(end..<count).equals(last) else { return nil }
        var letters: [UInt8] = []
        letters.reserveCapacity(end - start)
        for place in start..<end {
            let isBreak = (place - start) % (lineLength + 1) == lineLength || place == end - 1
            guard isBreak == (pem[place] == UInt8(ascii: "\n")) else { return nil }
            if !isBreak { letters.append(pem[place]) }
        }
        return StrictBase64.bytes(letters.span, letters.indices)
    }

    private static func unescaped(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = text[place]
            if byte == UInt8(ascii: "%") {
                guard place + 2 < range.upperBound, let high = text[place + 1].upperHexadecimalValue,
                    let low = text[place + 2].upperHexadecimalValue
                else { return nil }
                plain.append(high << 4 | low)
                place += 3
            } else {
                guard byte.isUnreserved else { return nil }
                plain.append(byte)
                place += 1
            }
        }
        return plain
    }
}

extension UInt8 {
    /// Both gateways write capital letters.
    fileprivate var upperHexadecimalValue: UInt8? { isLetter && !isUpperCaseLetter ? nil : hexadecimalValue }
}
