/// Hashes names under a secret of the process: a polynomial over their unescaped bytes, at a point nobody knows, modulo the prime 2⁶¹ − 1
/// (Carter and Wegman 1979). Whoever writes the names cannot make more than chance's share of them meet, so that the names of an object are
/// told apart in time that grows with their bytes, however alike they are and however they are escaped.
struct JSONNameHash: Sendable {
    private let point: UInt64
    private static let prime: UInt64 = 1 << 61 - 1

    /// What all of the process hash by.
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

    /// The sum times the point, and the byte. No byte adds nothing: otherwise one more in front would not be seen.
    private func step(_ sum: UInt64, _ byte: UInt8) -> UInt64 {
        let (high, low) = sum.multipliedFullWidth(by: point)
        // 2⁶¹ is 1 modulo the prime.
        let folded = low & Self.prime + (high << 3 | low >> 61) + UInt64(byte) + 1
        return folded >= Self.prime ? folded - Self.prime : folded
    }
}
