import JWKSCache
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing
import TokenStatus

/// The core of a cache, whose orders and responses the test gives one by one. It judges for the origin `https://status.example`.
final class DrivenLists {
    private(set) var core: ListsCore
    var now: Duration = .zero
    var date: NumericDate { NumericDate(seconds: 1_700_000_100).advanced(by: now) }

    init(
        _ policy: StatusListPolicy = .closedFirst, limits: StatusListLimits = StatusListLimits(), seed: UInt64 = 1, issuers: Int = 1
    ) throws {
        let names = (0..<issuers).map { $0 == 0 ? TestList.issuer : "https://idp-\($0).example" }
        let configured = try names.map {
            try StatusListIssuer($0, origins: ["https://status.example"], keys: TestList.forge.keySet)
        }
        core = ListsCore(configured, policy: policy, limits: limits, seed: seed)
    }

    func ask(_ uri: String = TestList.uri, index: Int = 0, issuer: Int = 0) -> (verdict: StatusVerdict, order: ListOrder?) {
        core.ask(issuer, Array(uri.utf8), index: index, now: now)
    }

    func finding(_ uri: String = TestList.uri, index: Int = 0, issuer: Int = 0) -> StatusFinding {
        ask(uri, index: index, issuer: issuer).verdict.finding
    }

    /// Answers `order` with a list.
    func answer(_ order: ListOrder, _ list: TestList, maxAge: Int? = nil, age: Int = 0) throws {
        let verifier = StatusListVerifier(keys: TestList.forge.keySet)
        complete(order, .list(try verifier.verify(list.token, uri: order.uri, now: date), Self.directives(maxAge, age)))
    }

    /// Asks, and answers the fetch that this causes.
    func load(_ list: TestList = TestList(), maxAge: Int? = nil, age: Int = 0, issuer: Int = 0) throws {
        try answer(try #require(ask(list.uri, issuer: issuer).order), list, maxAge: maxAge, age: age)
    }

    func notModified(_ order: ListOrder, maxAge: Int? = nil) { complete(order, .notModified(Self.directives(maxAge, 0))) }

    func fail(_ order: ListOrder, _ failure: StatusListFailure = .status(503), retryAfter: Duration? = nil) {
        complete(order, .failed(failure, retryAfter: retryAfter))
    }

    func complete(_ order: ListOrder, _ result: ListResult) { core.complete(order, result, now: now, date: date) }

    func tick() -> [ListOrder] { core.tick(now: now) }

    /// Moves to the next scheduled fetch of the list at `uri`, and returns it. Other fetches on the way fail.
    func nextOrder(_ uri: String = TestList.uri) throws -> ListOrder {
        now += try status(uri).nextFetchIn
        var found: ListOrder?
        for order in tick() { if order.uri == uri { found = order } else { fail(order) } }
        return try #require(found)
    }

    /// Moves on in steps of `step` with a token in each, and fails every fetch on the way.
    func outage(_ duration: Duration, step: Duration = .seconds(1), _ failure: StatusListFailure = .status(503)) {
        let end = now + duration
        while now < end {
            for order in tick() { fail(order, failure) }
            _ = ask()
            now = min(now + step, end)
        }
    }

    var statuses: [StatusListStatus] { core.statuses(now: now) }

    func status(_ uri: String = TestList.uri) throws -> StatusListStatus { try #require(statuses.first { $0.uri == uri }) }

    private static func directives(_ maxAge: Int?, _ age: Int) -> CacheDirectives {
        var directives = CacheDirectives()
        directives.lifetime = maxAge.map { .seconds($0) }
        directives.age = .seconds(age)
        directives.entityTag = "\"1\""
        return directives
    }
}
