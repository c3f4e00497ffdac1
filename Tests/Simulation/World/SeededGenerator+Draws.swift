import JWKSCache

extension SeededGenerator {
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    /// Uniformly distributed, to the microsecond.
    mutating func duration(_ range: ClosedRange<Duration>) -> Duration {
        .microseconds(Int64.random(in: range.lowerBound.microseconds...range.upperBound.microseconds, using: &self))
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
