#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The instant at which a transaction ends, whatever the server does.
package struct PostgresDeadline: Sendable {
    private let instant: ContinuousClock.Instant
    /// A server without an answer for so long is given up, while time is left for another one. It is longer than the server's own time-outs.
    private var patience: Duration? = .seconds(6)

    package init(in duration: Duration) { instant = ContinuousClock.now + duration }

    private init(_ instant: ContinuousClock.Instant) { self.instant = instant }

    /// The latest instant for the next answer.
    var ofAnswer: PostgresDeadline {
        guard let patience else { return self }
        return PostgresDeadline(min(instant, ContinuousClock.now + patience))
    }

    /// The same deadline for a transaction whose statements take long.
    package var ofLongStatements: PostgresDeadline {
        var deadline = self
        deadline.patience = nil
        return deadline
    }

    package var isOver: Bool { ContinuousClock.now >= instant }

    /// For poll(2); at least 0.
    package var milliseconds: Int32 {
        let (seconds, attoseconds) = (instant - ContinuousClock.now).components
        return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }

    /// Waits, but not beyond the deadline.
    package func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let wanted = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        usleep(UInt32(clamping: min(wanted, Int64(milliseconds) * 1_000)))
    }
}
