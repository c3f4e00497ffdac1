import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A key set's core whose orders and responses the test gives one by one.
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

    /// A core that holds a set which removes more than `churn`.
    static func limited(to churn: Double) -> DrivenCore {
        var policy = RefreshPolicy()
        policy.maximumChurn = churn
        return DrivenCore(policy)
    }

    var words: [String] { events.map(\.word) }
    var names: [String?] { core.keys?.keys.map(\.keyID) ?? [] }
    var lifetime: Duration? { core.state.freshness.map { $0.expiresAt - $0.confirmedAt } }

    /// Orders a fetch that bypasses every cache.
    func order() throws -> FetchOrder {
        var order: FetchOrder?
        note { order = $0.requested(now: now) }
        return try #require(order)
    }

    @discardableResult
    func tick() -> FetchOrder? {
        var order: FetchOrder?
        note { order = $0.tick(now: now) }
        return order
    }

    /// Answers `order` with `document`, and returns the events.
    @discardableResult
    func answer(
        _ order: FetchOrder, _ document: String, lifetime: Duration? = nil, date: Int64? = nil, age: Duration = .zero
    ) -> [String] {
        var directives = CacheDirectives()
        (directives.lifetime, directives.date, directives.age) = (lifetime, date, age)
        let origin = FetchResult.Origin(sourceIndex: 0, format: format, url: "https://idp.example/jwks")
        return complete(order, core.situation(of: order).result(of: Array(document.utf8), directives, origin))
    }

    /// Orders and answers immediately.
    @discardableResult
    func fetch(
        _ document: String, lifetime: Duration? = nil, date: Int64? = nil, age: Duration = .zero
    ) throws -> [String] {
        answer(try order(), document, lifetime: lifetime, date: date, age: age)
    }

    @discardableResult
    func notModified(lifetime: Duration? = nil) throws -> [String] {
        var directives = CacheDirectives()
        directives.lifetime = lifetime
        return complete(try order(), .notModified(directives))
    }

    @discardableResult
    func fail(_ order: FetchOrder) -> [String] { complete(order, .failed(.status(503), retryAfter: nil)) }

    /// Restores `document`, stored by an earlier process.
    @discardableResult
    func restore(_ document: String, age: Duration, lifetime: Duration) throws -> [String] {
        let read = try KeyDocument(Array(document.utf8), format, reusing: nil)
        return note { $0.restore(read, age: age, lifetime: lifetime, now: now) }
    }

    private func complete(_ order: FetchOrder, _ result: FetchResult) -> [String] {
        note { $0.complete(order, result, now: now, date: NumericDate(seconds: date)) }
    }

    /// Runs `step`, and returns its events.
    @discardableResult
    private func note(_ step: (inout KeySetCore) -> Void) -> [String] {
        step(&core)
        let new = core.takeEvents()
        events += new
        return new.map(\.word)
    }
}
