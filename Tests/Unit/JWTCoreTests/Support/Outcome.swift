import JWTCore

/// "valid", or the code and the position of the error of `body`, as in "invalid_json@3", for tables of cases.
func outcome(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "valid"
    } catch {
        guard let error = error as? VerificationError else { return "\(error)" }
        return error.code.name + (error.offset.map { "@\($0)" } ?? "")
    }
}

/// The same without the position.
func verdict(_ body: () throws -> Void) -> String {
    String(outcome(body).prefix { $0 != "@" })
}

/// The text of borrowed bytes, for comparison after their lifetime.
func text(_ bytes: Span<UInt8>) -> String { String(decoding: Array(copying: bytes), as: UTF8.self) }

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
