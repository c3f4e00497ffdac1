import JWKSCache
import JWTCore

/// A thousand instances that start together and must drift apart (clarification M26, A8): the same lifetime, different seeds.
struct Fleet {
    private let document: [UInt8]
    private static let size = 1_000
    private static let lifetime = 300
    private static let length: Duration = .seconds(4 * 3_600)

    init(_ pool: KeyPool) { document = pool.document([PublishedKey(name: "key-1", material: 0)], serial: nil, hint: nil) }

    /// Whether no second of a refresh has more than three times the mean load.
    func succeeds() -> Bool {
        var bins = Array(repeating: 0, count: Int(Self.length.components.seconds) + 1)
        for seed in 0..<Self.size { run(UInt64(seed) &* 0x9e37_79b9 + 1) { bins[Int($0.components.seconds)] += 1 } }
        // The first refresh falls between 70 and 90 % of the lifetime; the later waves are broader and overlap.
        let first = Load(bins[Self.lifetime * 7 / 10..<Self.lifetime * 9 / 10])
        let later = Load(bins[Self.lifetime...])
        // In later hours the mean is four fetches per second, and three times as many occur by chance. So this counts tens of seconds.
        let tens = stride(from: 3_600, to: bins.count - 10, by: 10).map { bins[$0..<$0 + 10].reduce(0, +) }
        let settled = Load(tens[...])
        print("fleet of \(Self.size), fetches a second: first refresh \(first); later \(later); in 10 s after an hour \(settled)")
        return first.isEven && first.total == Self.size && Double(later.peak) <= 3 * first.mean && settled.isEven
    }

    private func run(_ seed: UInt64, _ fetched: (Duration) -> Void) {
        var random = SeededGenerator(seed: seed)
        var core = KeySetCore(policy: .availabilityFirst, seed: random.next(), now: .zero)
        let origin = FetchResult.Origin(sourceIndex: 0, format: .jwks, url: nil)
        var directives = CacheDirectives()
        directives.lifetime = .seconds(Self.lifetime)
        var now: Duration = .zero
        while now < Self.length {
            if let order = core.tick(now: now) {
                fetched(now)
                now += random.duration(.milliseconds(1)...(.milliseconds(200)))
                let result = core.situation(of: order).result(of: document, directives, origin)
                core.complete(order, result, now: now, date: NumericDate(seconds: now.date))
            }
            now = core.state.nextTick
        }
    }
}
