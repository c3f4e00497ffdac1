import JWKSCache
import JWTCore
import JWTTestSupport
import StatusListCache
import TokenStatus

/// Five hundred gateways that start together and judge by the same status lists: what the origin of the lists gets, over an outage and a
/// revocation, and when the gateways know of it.
struct ListFleet {
    private static let size = 500
    private static let lists = 4
    private static let timeToLive = 300
    private static let outage: Range<Duration> = .seconds(3_600)..<(.seconds(7_200))
    private static let revocation: Duration = .seconds(3 * 3_600)
    private static let length: Duration = .seconds(4 * 3_600)

    private let issuer: StatusListIssuer
    /// Before and after the revocation, by list.
    private let versions: [[VerifiedStatusList]]

    /// What the origin saw, in seconds of the run.
    private struct Requests {
        var bins = Array(repeating: 0, count: Int(ListFleet.length.components.seconds) + 2)
        var answered = 0
        var confirmed = 0
        /// When each gateway knew of the revocation, since the revocation.
        var known: [Duration] = []
    }

    init() throws {
        issuer = try StatusListIssuer(TestList.issuer, origins: ["https://status.example"], keys: TestList.forge.keySet)
        let verifier = StatusListVerifier(keys: TestList.forge.keySet)
        versions = try [Self.start, Self.start + Self.revocation.components.seconds].map { issued in
            try (0..<Self.lists).map { place in
                let list = TestList().with {
                    $0.uri = Self.uri(place)
                    $0.issuedAt = issued
                    $0.timeToLive = Self.timeToLive
                }
                return try verifier.verify(list.token, uri: list.uri, now: NumericDate(seconds: issued))
            }
        }
    }

    private static let start = Duration.zero.date
    private static func uri(_ place: Int) -> String { "https://status.example/lists/\(place)" }

    /// Whether the load is spread, an outage is no storm, and all know of the revocation within the lists' lifetime.
    func succeeds() -> Bool {
        var requests = Requests()
        for seed in 0..<Self.size { run(UInt64(seed) &* 0x9e37_79b9 + 1, &requests) }
        let steady = Load(requests.bins[1_800..<3_600]), down = Load(requests.bins[3_900..<7_200])
        let back = Load(requests.bins[7_200..<7_300]), known = requests.known.sorted()
        guard known.count == Self.size else {
            print("\(Self.size - known.count) gateways never knew of the revocation")
            return false
        }
        print("fleet of \(Self.size) with \(Self.lists) status lists, requests a second: \(steady); in an outage \(down); after it \(back)")
        print(
            "  \(requests.confirmed) of \(requests.answered) answers are 304; half of the fleet knows of a revocation after "
                + "\(known[known.count / 2].components.seconds) s, the last after \(known[known.count - 1].components.seconds) s")
        let each = Double(Self.size * Self.lists)
        return Double(steady.peak) <= 4 * steady.mean && down.mean <= each / 25 && Double(back.peak) <= each / 10
            && known[known.count - 1] <= .seconds(Self.timeToLive)
    }

    private func run(_ seed: UInt64, _ requests: inout Requests) {
        var random = SeededGenerator(seed: seed)
        var core = ListsCore([issuer], policy: .closedFirst, limits: StatusListLimits(), seed: random.next())
        var now: Duration = .zero, token: Duration = .zero, knows = false
        while now < Self.length {
            var orders = core.tick(now: now)
            if now >= token {
                orders += (0..<Self.lists).compactMap { core.ask(0, Array(Self.uri($0).utf8), index: 0, now: now).order }
                token = now + random.duration(.milliseconds(500)...(.seconds(30)))
            }
            for order in orders {
                requests.bins[Int(now.components.seconds)] += 1
                let result = answer(order, at: now, &requests)
                core.complete(order, result, now: now + .milliseconds(1), date: NumericDate(seconds: now.date))
            }
            if !knows, now >= Self.revocation, core.statuses(now: now).contains(where: { $0.uri == Self.uri(0) && $0.issuedAt == changed })
            {
                knows = true
                requests.known.append(now - Self.revocation)
            }
            now = max(min(core.nextTick(now: now) ?? token, token), now + .milliseconds(2))
        }
    }

    private var changed: NumericDate { versions[1][0].issuedAt }

    private func answer(_ order: ListOrder, at now: Duration, _ requests: inout Requests) -> ListResult {
        guard !Self.outage.contains(now) else { return .failed(.fetch(RequestFailure(.connection)), retryAfter: nil) }
        let version = now < Self.revocation ? 0 : 1
        var directives = CacheDirectives()
        directives.entityTag = "\"\(version)\""
        requests.answered += 1
        if order.request.entityTag == directives.entityTag {
            requests.confirmed += 1
            return .notModified(directives)
        }
        guard let list = versions[version].first(where: { $0.uri == order.uri }) else { return .failed(.status(404), retryAfter: nil) }
        return .list(list, directives)
    }
}
