/// Hashes names under a secret of the process: a polynomial over their unescaped bytes, seven at a time, at a secret point, modulo the prime
/// 2⁶¹ − 1 (Carter and Wegman 1979). An attacker cannot choose names that collide more often than by chance. So finding duplicate names takes
/// time proportional to their bytes, however similar they are and however they are escaped.
struct JSONNameHash: Sendable {
    private let point: UInt64
    private static let prime: UInt64 = 1 << 61 - 1

    /// The hash of this process.
    static let ofProcess = JSONNameHash()

    private init() {
        var generator = SystemRandomNumberGenerator()
        point = UInt64.random(in: 1 << 32..<Self.prime, using: &generator)
    }

    func value(_ name: borrowing JSONString) -> UInt32 {
        UInt32(truncatingIfNeeded: name.isEscaped ? escaped(name.raw) : plain(name.raw))
    }

    private func plain(_ name: Span<UInt8>) -> UInt64 {
        var sum: UInt64 = 0
        var start = 0
        while name.count - start >= 8 {
            sum = step(sum, name.eightBytes(at: start) >> 8 | 1 << 56)
            start += 7
        }
        guard start < name.count else { return sum }
        var word: UInt64 = 1
        for index in start..<name.count { word = word << 8 | UInt64(name[index]) }
        return step(sum, word)
    }

    private func escaped(_ name: Span<UInt8>) -> UInt64 {
        var sum: UInt64 = 0
        // The bytes of the next step, with a one above them.
        var word: UInt64 = 1
        var decoder = JSONStringDecoder()
        while let byte = decoder.next(in: name) {
            if word >> 56 != 0 {
                sum = step(sum, word)
                word = 1
            }
            word = word << 8 | UInt64(byte)
        }
        return word > 1 ? step(sum, word) : sum
    }

    /// The sum times the point, plus up to seven bytes with a one above them: otherwise a NUL in front would not change the hash.
    private func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let (high, low) = sum.multipliedFullWidth(by: point)
        // 2⁶¹ is 1 modulo the prime.
        let folded = low & Self.prime + (high << 3 | low >> 61) + word
        return folded >= Self.prime ? folded - Self.prime : folded
    }
}
