internal import JWKSCache
internal import JWTCore

/// The date by the tenant's own clock, as far as its answers tell it: phones are often minutes off, and id_tokens live for minutes.
///
/// Every sample comes from an answer of the tenant's origin, which is https or loopback. One of more than a day is not believed: then it is
/// something else that is wrong.
final class CorrectedClock: Sendable {
    private let clock: any ElapsedClock
    private let skew = Locked(ClockSkew())
    static let limit: Int64 = 86_400

    init(_ clock: any ElapsedClock) { self.clock = clock }

    /// How far the server is ahead: the median of the last five answers, to the second.
    var offset: Duration { skew.withLock { $0.estimate } ?? .zero }

    /// Since 1970.
    var seconds: Int64 { now.seconds }

    var now: NumericDate { clock.date.advanced(by: offset.components.seconds) }

    /// Takes in `Date` and `Age` of an answer.
    func note(_ response: FlowResponse) {
        let directives = CacheDirectives(
            DocumentResponse(status: response.status, fields: response.fields.map { ($0.name, $0.value) }))
        note(seconds: directives.date, age: directives.age)
    }

    func note(seconds: Int64?, age: Duration = .zero) {
        let now = clock.date
        guard let seconds, abs(seconds + age.components.seconds - now.seconds) <= Self.limit else { return }
        skew.withLock { $0.note(date: seconds, age: age, now: now) }
    }
}
