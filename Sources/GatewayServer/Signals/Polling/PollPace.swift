#if Gateway
internal import JWKSCache

/// When to ask a transmitter again.
package struct PollPace {
    private let interval: Duration
    private var failures = 0
    private var generator: SeededGenerator

    /// A revocation must not come later than the tokens that it is about expire.
    package static let longest = Duration.seconds(60)
    /// Of what a transmitter asks for.
    package static let longestAsked = Duration.seconds(300)

    package init(interval: Duration, seed: UInt64) {
        self.interval = interval
        generator = SeededGenerator(seed: seed)
    }

    /// The wait after an answer: none, if it brought something new or there is more.
    package mutating func wait(afterNews isNews: Bool) -> Duration {
        failures = 0
        return isNews ? .zero : interval
    }

    /// The wait after a failure: between half of a span and the whole, which doubles with each failure, but not less than the transmitter asks
    /// for.
    ///
    /// - Parameter asked: `Retry-After`; nil without it.
    package mutating func wait(afterFailureAsking asked: Duration?) -> Duration {
        let span = min(Self.longest, .seconds(1 << min(failures, 6)))
        failures += 1
        let jitter = Double.random(in: 0.5...1, using: &generator)
        return max(interval, span * jitter, min(asked ?? .zero, Self.longestAsked))
    }
}
#endif
