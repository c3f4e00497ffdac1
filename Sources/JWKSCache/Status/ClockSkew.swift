package import JWTCore

/// How far a source's clock is ahead of this machine's, from the `Date` of its answers: the median of the last five, to the second.
package struct ClockSkew: Sendable {
    private var samples: [Int64] = []

    package init() {}

    /// - Parameters:
    ///   - date: what the origin's clock said, in seconds since 1970.
    ///   - age: how long caches on the way had the answer.
    package mutating func note(date: Int64?, age: Duration, now: NumericDate) {
        guard let date else { return }
        samples.append(date + age.components.seconds - now.seconds)
        if samples.count > 5 { samples.removeFirst() }
    }

    /// Nil before any answer said.
    package var estimate: Duration? { samples.isEmpty ? nil : .seconds(samples.sorted()[samples.count / 2]) }

    /// Beyond this, tokens of a strict verifier begin to fail.
    package static let alarming: Duration = .seconds(30)
}
