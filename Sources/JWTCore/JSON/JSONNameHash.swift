/// Hashes names under a secret of the process: a polynomial over their unescaped bytes, at a secret point, modulo the prime 2⁶¹ − 1 (Carter
/// and Wegman 1979). An attacker cannot choose names that collide more often than by chance. So finding duplicate names takes time
/// proportional to their bytes, however similar they are and however they are escaped.
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
        var sum: UInt64 = 0
        var decoder = JSONStringDecoder()
        while let byte = decoder.next(in: name.raw, isEscaped: name.isEscaped) { sum = step(sum, byte) }
        return UInt32(truncatingIfNeeded: sum)
    }

    /// The sum times the point, plus the byte plus one: otherwise a NUL in front would not change the hash.
    private func step(_ sum: UInt64, _ byte: UInt8) -> UInt64 {
        let (high, low) = sum.multipliedFullWidth(by: point)
        // 2⁶¹ is 1 modulo the prime.
        let folded = low & Self.prime + (high << 3 | low >> 61) + UInt64(byte) + 1
        return folded >= Self.prime ? folded - Self.prime : folded
    }
}
