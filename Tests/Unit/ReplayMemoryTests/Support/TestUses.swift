import JWTCore
import ReplayMemory

extension ReplayIdentifier {
    /// The identifier with this number.
    static func number(_ number: Int) -> Self { Self("test", [Array("\(number)".utf8)]) }
}

extension ReplayTable {
    /// A use as one word: its answer, or the code of its error.
    func answer(_ number: Int, until end: Int64, now: Int64) -> String {
        do throws(ReplayMemoryError) {
            return try useNow(.number(number), until: NumericDate(seconds: end), now: NumericDate(seconds: now)).rawValue
        } catch {
            return error.code.rawValue
        }
    }

    /// The answers to uses of these numbers, with how often each came.
    func answers(_ numbers: some Sequence<Int>, until end: Int64, now: Int64) -> [String: Int] {
        numbers.reduce(into: [:]) { $0[answer($1, until: end, now: now), default: 0] += 1 }
    }
}

/// SplitMix64: the same numbers in every run.
struct SeededRandomness: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
