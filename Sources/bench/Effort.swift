import Foundation

/// The extent of a run: whole, or quick (under a minute).
struct Effort: Sendable {
    let isQuick: Bool
    /// The rounds of a row, and the time of each operation in a round: short, so that an interruption affects few rounds.
    let rounds: Int
    let secondsPerRound: Double
    /// The maximum number of requests and of seconds of an open-loop run.
    let requests: Int
    let secondsPerLoad: Double

    static let whole = Self(isQuick: false, rounds: 1_501, secondsPerRound: 0.001, requests: 100_000, secondsPerLoad: 8)
    static let quick = Self(isQuick: true, rounds: 151, secondsPerRound: 0.001, requests: 20_000, secondsPerLoad: 0.6)

    /// The number of processors that this process may run on.
    static let cores = PinnedThreads.cores.isEmpty ? ProcessInfo.processInfo.processorCount : PinnedThreads.cores.count

    /// The number of different tokens of a kind. A quick run makes fewer if signing takes a millisecond or more.
    func tokens(_ kind: TokenKind, bytes: Int) -> Int {
        guard isQuick else { return 1_000 }
        return kind.isSlowToSign || bytes > 1_000 ? 128 : 1_000
    }
}
