#if Gateway
internal import JWKSCache
internal import JWTCore

/// Times in buckets that each are a quarter wider than the one before (ISO 3, R10): quantiles are right to within that.
struct LatencyCounts: Sendable {
    /// The upper bounds in nanoseconds, from a microsecond to eight seconds.
    private static let bounds: [Int64] = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].flatMap { scale in
        [100, 125, 160, 200, 250, 315, 400, 500, 630, 800].map { $0 * scale }
    }

    /// The bounds that Prometheus gets, in nanoseconds: from a cached verdict to the wait for keys.
    private static let published: [Int64] = [
        20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000, 100_000_000,
        200_000_000, 500_000_000, 1_000_000_000,
    ]

    private var buckets = [UInt64](repeating: 0, count: LatencyCounts.bounds.count + 1)
    /// All times together.
    private(set) var nanoseconds: Int64 = 0

    mutating func add(_ time: Duration) {
        buckets[Self.bucket(time.nanoseconds)] += 1
        nanoseconds += time.nanoseconds
    }

    /// The first bound that is not below; the bounds are sorted.
    private static func bucket(_ nanoseconds: Int64) -> Int {
        var low = 0, high = bounds.count
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] < nanoseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The counts since `earlier`.
    func since(_ earlier: LatencyCounts) -> LatencyCounts {
        var difference = self
        for index in buckets.indices { difference.buckets[index] -= earlier.buckets[index] }
        difference.nanoseconds -= earlier.nanoseconds
        return difference
    }

    func adding(_ other: LatencyCounts) -> LatencyCounts {
        var sum = self
        for index in buckets.indices { sum.buckets[index] += other.buckets[index] }
        sum.nanoseconds += other.nanoseconds
        return sum
    }

    var count: UInt64 { buckets.reduce(0, +) }

    /// The time in microseconds that `share` (0 to 1) of all stayed below; nil without any.
    func quantile(_ share: Double) -> Double? {
        let total = count
        guard total > 0 else { return nil }
        let rank = max(1, UInt64((Double(total) * share).rounded(.up)))
        var below: UInt64 = 0
        for (bound, count) in zip(Self.bounds, buckets) {
            below += count
            if below >= rank { return Double(bound) / 1_000 }
        }
        return Self.bounds.last.map { Double($0) / 1_000 }
    }

    /// For a histogram of Prometheus: each bound in seconds, with the number of times up to it.
    var cumulative: [(seconds: Double, count: UInt64)] {
        Self.published.map { published in
            (Double(published) / 1e9, zip(Self.bounds, buckets).reduce(0) { $1.0 <= published ? $0 + $1.1 : $0 })
        }
    }
}
#endif
