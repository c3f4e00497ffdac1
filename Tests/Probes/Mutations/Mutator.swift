/// Changes byte strings at random, repeatably (xorshift64*).
struct Mutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next(below bound: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_f491_4f6c_dd1d) >> 33) % max(1, bound)
    }

    /// Bytes that often break parsers: ends of ranges, structure, escapes, encodings.
    private static let morsels: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ":", ",", ".", "..", "=", "\\u0000", "\\ud800", "\\udc00", "1e400", "-0", "9007199254740993",
            "null", "true", #""alg":"#, #""none""#, #""crit":[]"#, #""b64":false"#, #""exp":"#, "\u{feff}", "é", "😀", "AAAA", "__--",
        ].map { Array($0.utf8) } + [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x00]]

    /// Makes one to four changes; never returns the input itself.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        repeat {
            for _ in 0...next(below: 4) { change(&bytes) }
        } while bytes == original
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = next(below: bytes.count + 1)
        switch next(below: 6) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(next(below: 8))
        case 1 where place < bytes.count: bytes[place] = UInt8(next(below: 256))
        case 2 where place < bytes.count: bytes.removeSubrange(place..<min(bytes.count, place + 1 + next(below: 8)))
        case 3: bytes.insert(contentsOf: Self.morsels[next(below: Self.morsels.count)], at: place)
        case 4 where place < bytes.count:
            bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + next(below: 32))], at: next(below: bytes.count))
        default: bytes.append(UInt8(next(below: 256)))
        }
    }
}
