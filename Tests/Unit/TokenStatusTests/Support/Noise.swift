/// Bytes that deflate cannot compress, the same in every run: the highest of a linear congruential generator modulo 2^64 (Knuth's MMIX).
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}
