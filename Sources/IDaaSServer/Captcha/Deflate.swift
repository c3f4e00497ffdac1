#if IDaaS
/// Deflate (RFC 1951) in one block of fixed codes, whose only matches are runs of one byte: what a blank margin needs, and a texture has
/// nothing to find anyway.
struct Deflate {
    private var output: [UInt8] = []
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var deflate = Deflate()
        deflate.output.reserveCapacity(bytes.count + bytes.count / 8)
        // The last block, fixed codes.
        deflate.put(0b011, 3)
        var index = 0
        while index < bytes.count {
            let run = runLength(bytes, index)
            if run >= 3 {
                deflate.put(repetition: run)
                index += run
            } else {
                deflate.put(symbol: Int(bytes[index]))
                index += 1
            }
        }
        deflate.put(symbol: 256)
        // To the end of the byte.
        deflate.put(0, 7)
        return deflate.output
    }

    /// How many bytes from `index` on are as the one before: at most the 258 of a match.
    private static func runLength(_ bytes: [UInt8], _ index: Int) -> Int {
        guard index > 0 else { return 0 }
        var end = index
        while end < bytes.count, end - index < 258, bytes[end] == bytes[index - 1] { end += 1 }
        return end - index
    }

    private struct Code {
        let bits: UInt64
        let length: UInt64

        /// Huffman codes go most significant bit first, everything else least.
        init(_ code: Int, _ length: Int) {
            bits = (0..<length).reduce(0) { $0 | UInt64(code >> $1 & 1) << UInt64(length - 1 - $1) }
            self.length = UInt64(length)
        }
    }

    /// Of literals, the end of the block and lengths: section 3.2.6.
    private static let codes = (0..<286).map { symbol in
        switch symbol {
        case ...143: Code(0x30 + symbol, 8)
        case ...255: Code(0x190 + symbol - 144, 9)
        case ...279: Code(symbol - 256, 7)
        default: Code(0xc0 + symbol - 280, 8)
        }
    }

    private let codes = Self.codes

    private mutating func put(symbol: Int) { put(codes[symbol].bits, codes[symbol].length) }

    /// A match at distance 1: length code and extra bits of section 3.2.5, then the distance code 0.
    private mutating func put(repetition length: Int) {
        if length == 258 {
            put(symbol: 285)
        } else if length < 11 {
            put(symbol: 254 + length)
        } else {
            let extra = (length - 3).leadingSetBit - 2
            put(symbol: 257 + 4 * extra + (length - 3) >> extra)
            put(UInt64(length - 3) & (1 << UInt64(extra) - 1), UInt64(extra))
        }
        put(0, 5)
    }

    private mutating func put(_ value: UInt64, _ length: UInt64) {
        bits |= value << count
        count += length
        while count >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            count -= 8
        }
    }
}

extension Int {
    /// The place of the highest bit that is set.
    fileprivate var leadingSetBit: Int { Int.bitWidth - 1 - leadingZeroBitCount }
}
#endif
