internal import JWKSCache
internal import JWTCore

/// The date by the tenant's own clock, as far as its answers tell it: phones are often minutes off, and id_tokens live for minutes.
///
/// Every sample comes from an answer of the tenant's or its issuer's origin, which is https or loopback. One of more than a day is not
/// believed: then it is something else that is wrong. What was found is stored with the session, for a start without an answer.
final class CorrectedClock: Sendable {
    private let clock: any ElapsedClock
    private let skew = Locked(ClockSkew())
    private let remembered = Locked(Int64?.none)
    static let limit: Int64 = 86_400

    init(_ clock: any ElapsedClock) { self.clock = clock }

    /// How far the server is ahead: the median of the last five answers, to the second.
    var offset: Duration { known ?? .seconds(remembered.withLock { $0 } ?? 0) }

    /// What the answers of this process say; nil before any did.
    private var known: Duration? { skew.withLock { $0.estimate } }

    /// The offset for the store, in seconds; nil before it is known.
    var stored: Int64? { known.map(\.components.seconds) ?? remembered.withLock { $0 } }

    /// Takes over what an earlier process knew, until an answer says better.
    func remember(_ seconds: Int64?) {
        guard let seconds, abs(seconds) <= Self.limit else { return }
        remembered.withLock { $0 = seconds }
    }

    /// Since 1970.
    var seconds: Int64 { now.seconds }

    var now: NumericDate { clock.date.advanced(by: offset.components.seconds) }

    /// Takes in `Date` and `Age` of an answer.
    func note(_ directives: CacheDirectives) { note(seconds: directives.date, age: directives.age) }

    func note(seconds: Int64?, age: Duration = .zero) {
        let now = clock.date
        guard let seconds, abs(seconds + age.components.seconds - now.seconds) <= Self.limit else { return }
        skew.withLock { $0.note(date: seconds, age: age, now: now) }
    }
}

extension FlowResponse {
    /// What the fields say of the answer's age.
    var directives: CacheDirectives {
        CacheDirectives(DocumentResponse(status: status, fields: fields.map { ($0.name, $0.value) }))
    }
}
