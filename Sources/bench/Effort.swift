import Foundation

/// How much a run takes on: all of it, or what fits into a minute.
struct Effort: Sendable {
    let isQuick: Bool
    /// Rounds of a row, of which medians are taken, and how long each operation has in one: little, so that what interrupts a virtual
    /// machine falls into few of them.
    let rounds: Int
    let secondsPerRound: Double
    /// Requests of an open-loop run, and seconds after which it has enough.
    let requests: Int
    let secondsPerLoad: Double

    static let whole = Self(isQuick: false, rounds: 1_501, secondsPerRound: 0.001, requests: 100_000, secondsPerLoad: 8)
    static let quick = Self(isQuick: true, rounds: 151, secondsPerRound: 0.001, requests: 20_000, secondsPerLoad: 0.6)

    /// The processors that this process may run on.
    static let cores = PinnedThreads.cores.isEmpty ? ProcessInfo.processInfo.processorCount : PinnedThreads.cores.count

    /// Distinct tokens of a kind. A quick run makes fewer where signing one takes a millisecond and more.
    func tokens(_ kind: TokenKind, bytes: Int) -> Int {
        guard isQuick else { return 1_000 }
        return kind.isSlowToSign || bytes > 1_000 ? 128 : 1_000
    }
}
