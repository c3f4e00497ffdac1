internal import JWKSCache
internal import JWTCore
internal import Locks

/// The tenant's clock, estimated from its answers: phone clocks are often wrong by minutes, and id_tokens live for minutes.
///
/// Every sample comes from an answer of the tenant's or its issuer's origin, which is https or loopback. A sample that differs by more than
/// a day is ignored. The estimate is stored with the session, for a start without an answer.
final class CorrectedClock: Sendable {
    private let clock: any ElapsedClock
    private let skew = Locked(ClockSkew())
    private let remembered = Locked(Int64?.none)
    static let limit: Int64 = 86_400

    init(_ clock: any ElapsedClock) { self.clock = clock }

    /// The server clock's lead, in whole seconds: the median of the last five answers.
    var offset: Duration { known ?? .seconds(remembered.withLock { $0 } ?? 0) }

    /// The estimate from this process's answers; nil before the first.
    private var known: Duration? { skew.withLock { $0.estimate } }

    /// The offset for the store, in seconds; nil while it is unknown.
    var stored: Int64? { known.map(\.components.seconds) ?? remembered.withLock { $0 } }

    /// Uses an earlier process's offset until the first answer.
    func remember(_ seconds: Int64?) {
        guard let seconds, (-Self.limit...Self.limit).contains(seconds) else { return }
        remembered.withLock { $0 = seconds }
    }

    /// Since 1970.
    var seconds: Int64 { now.seconds }

    var now: NumericDate { clock.date.advanced(by: offset) }

    /// Records `Date` and `Age` of an answer.
    func note(_ directives: CacheDirectives) { note(seconds: directives.date, age: directives.age) }

    func note(seconds: Int64?, age: Duration = .zero) {
        let now = clock.date
        guard let seconds, abs(seconds + age.components.seconds - now.seconds) <= Self.limit else { return }
        skew.withLock { $0.note(date: seconds, age: age, now: now) }
    }
}

extension ReceivedResponse {
    /// The fields about the answer's age.
    var directives: CacheDirectives { CacheDirectives(self) }
}
