package import JWTCore

/// How far a source's clock is ahead of this machine's, from the `Date` of its answers: the median of the last five, to the second.
package struct ClockSkew: Sendable {
    private var samples: [Int64] = []

    package init() {}

    /// - Parameters:
    ///   - date: the origin's clock, in seconds since 1970.
    ///   - age: the time that the response spent in intermediate caches.
    package mutating func note(date: Int64?, age: Duration, now: NumericDate) {
        guard let date else { return }
        samples.append(date + age.components.seconds - now.seconds)
        if samples.count > 5 { samples.removeFirst() }
    }

    /// Nil before the first response with a date.
    package var estimate: Duration? { samples.isEmpty ? nil : .seconds(samples.sorted()[samples.count / 2]) }

    /// Above this, tokens begin to fail in a strict verifier.
    package static let alarming: Duration = .seconds(30)
}
