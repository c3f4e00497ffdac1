import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A key set's core, its orders and answers given one by one.
final class DrivenCore {
    private(set) var core: KeySetCore
    private(set) var events: [RefreshEvent.Kind] = []
    var now: Duration = .zero
    let date: Int64 = 1_700_000_100
    private let format: KeySetSource.Format

    init(_ policy: RefreshPolicy = .availabilityFirst, format: KeySetSource.Format = .jwks) {
        core = KeySetCore(policy: policy, seed: 1, now: .zero)
        self.format = format
    }

    /// A core that holds a set which takes away more than `churn`.
    static func limited(to churn: Double) -> DrivenCore {
        var policy = RefreshPolicy()
        policy.maximumChurn = churn
        return DrivenCore(policy)
    }

    var words: [String] { events.map(\.word) }
    var names: [String?] { core.keys?.keys.map(\.keyID) ?? [] }
    var lifetime: Duration? { core.state.freshness.map { $0.expiresAt - $0.confirmedAt } }

    /// Orders a fetch past every cache.
    func order() throws -> FetchOrder {
        let order = core.requested(now: now, &events)
        return try #require(order)
    }

    @discardableResult
    func tick() -> FetchOrder? { core.tick(now: now, &events) }

    /// Answers `order` with `document`, and says what came of it.
    @discardableResult
    func answer(
        _ order: FetchOrder, _ document: String, lifetime: Duration? = nil, date: Int64? = nil, age: Duration = .zero
    ) throws -> [String] {
        let read = try KeyDocument(Array(document.utf8), format, reusing: core.keys)
        return complete(
            order, .document(read, directives(lifetime, date, age), from: .init(sourceIndex: 0, url: "https://idp.example/jwks")))
    }

    /// Orders and answers at once.
    @discardableResult
    func fetch(
        _ document: String, lifetime: Duration? = nil, date: Int64? = nil, age: Duration = .zero
    ) throws -> [String] {
        try answer(order(), document, lifetime: lifetime, date: date, age: age)
    }

    @discardableResult
    func notModified(lifetime: Duration? = nil) throws -> [String] {
        complete(try order(), .notModified(directives(lifetime, nil, .zero)))
    }

    @discardableResult
    func fail(_ order: FetchOrder) -> [String] { complete(order, .failed(.status(503), retryAfter: nil)) }

    /// Finds `document`, stored by an earlier process.
    @discardableResult
    func restore(_ document: String, age: Duration, lifetime: Duration) throws -> [String] {
        let before = events.count
        let read = try KeyDocument(Array(document.utf8), format, reusing: nil)
        core.restore(read, age: age, lifetime: lifetime, now: now, &events)
        return events.dropFirst(before).map(\.word)
    }

    private func complete(_ order: FetchOrder, _ result: FetchResult) -> [String] {
        let before = events.count
        core.complete(order, result, now: now, date: NumericDate(seconds: date), &events)
        return events.dropFirst(before).map(\.word)
    }

    private func directives(_ lifetime: Duration?, _ date: Int64?, _ age: Duration) -> CacheDirectives {
        var directives = CacheDirectives()
        directives.lifetime = lifetime
        directives.date = date
        directives.age = age
        return directives
    }
}
