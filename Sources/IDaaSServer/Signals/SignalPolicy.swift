/// How signals are delivered.
package struct SignalPolicy: Hashable, Sendable {
    /// The age at which a signal that no receiver took is dropped. No id_token that it could be about lives longer.
    package var maximumAge = Duration.seconds(86_400)
    /// How long a server has a batch for itself. Longer than its tries can take: of several servers one delivers.
    package var lease = Duration.seconds(30)
    /// The signals of one batch, and how many of them are under way at once.
    package var batch = 32
    package var concurrent = 8
    /// The wait after a first failure. It doubles with each further one.
    package var firstWait = Duration.seconds(1)
    package var longestWait = Duration.seconds(300)
    /// How long a poll waits for a signal at most, and how many polls of one stream may do so at a server: others wait for a second.
    package var longestPoll = Duration.seconds(25)
    package var polls = 4
    /// The pause between two looks for signals of other processes, where there are streams, and where there is none.
    package var look = Duration.milliseconds(100)
    package var lookWithoutStreams = Duration.seconds(1)
    /// The same of a poll that waits, and how long one waits for which there is no place.
    package var lookOfPolls = Duration.seconds(1)
    /// The tokens in an answer to a poll at most, and where the receiver names no number.
    package var mostEvents = 1_000
    package var usualEvents = 100

    package init() {}

    /// How long to wait after the `failures`-th failure in a row: half of it is random, so that servers and streams do not try in step.
    ///
    /// - Parameter fraction: from 0 to 1.
    package func wait(afterFailures failures: Int, _ fraction: Double) -> Duration {
        let whole = min(longestWait, firstWait * (1 << min(max(failures, 1) - 1, 20)))
        return whole / 2 + whole / 2 * fraction
    }
}
