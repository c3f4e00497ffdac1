#if Gateway
internal import Locks
internal import Gateway
internal import JWTCore

/// The counts of one listener: connections, answers by status with the times of decisions, and messages that are not the gateway's.
final class ListenerCounts: Sendable {
    let listener: String
    private let values = Locked(Values())

    struct Values: Sendable {
        var connections = 0
        /// The most connections at once since ``takePeak()``.
        var peak = 0
        var answers: [Int: UInt64] = [:]
        /// By code.
        var refusedMessages: [String: UInt64] = [:]
        var latencies = LatencyCounts()
    }

    init(listener: String) { self.listener = listener }

    var latest: Values { values.withLock { $0 } }

    /// Counts a message of the gateway that is refused before a decision.
    func refuseMessage(_ denial: Denial) { values.withLock { $0.refusedMessages[denial.reason.code, default: 0] += 1 } }

    /// - Parameter time: nil for an answer that no decision came before.
    func answered(_ status: Int, after time: Duration?) {
        values.withLock {
            $0.answers[status, default: 0] += 1
            if let time { $0.latencies.add(time) }
        }
    }

    /// Counts a connection that opens (1) or closes (-1).
    func connection(_ change: Int) {
        values.withLock {
            $0.connections += change
            $0.peak = max($0.peak, $0.connections)
        }
    }

    /// The most connections at once since the last call.
    func takePeak() -> Int {
        values.withLock { values in
            defer { values.peak = values.connections }
            return values.peak
        }
    }
}
#endif
