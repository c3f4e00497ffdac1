#if Gateway
internal import JWTCore
internal import Locks
internal import SharedSignals

/// The counts of one stream.
final class SignalCounts: Sendable {
    private let values = Locked(Values())

    struct Values: Sendable {
        var accepted: UInt64 = 0
        /// Events that were accepted before, and are acknowledged once more.
        var repeated: UInt64 = 0
        /// By name.
        var refused: [String: UInt64] = [:]
        /// Events that have to come again, by name.
        var delayed: [String: UInt64] = [:]
        /// What accepted events did, by name.
        var effects: [String: UInt64] = [:]
        /// Answers of the transmitter that brought no events, by name.
        var failedPolls: [String: UInt64] = [:]
        /// When the last event was accepted.
        var last: NumericDate?
    }

    var latest: Values { values.withLock { $0 } }

    func accepted(_ effects: [EventEffect], at date: NumericDate) {
        values.withLock {
            $0.accepted += 1
            $0.last = date
            for effect in effects { $0.effects[effect.name, default: 0] += 1 }
        }
    }

    func repeated() { values.withLock { $0.repeated += 1 } }

    func refused(_ refusal: SignalRefusal) { values.withLock { $0.refused[refusal.name, default: 0] += 1 } }

    func delayed(_ delay: SignalDelay) { values.withLock { $0.delayed[delay.rawValue, default: 0] += 1 } }

    func failedPoll(_ name: String) { values.withLock { $0.failedPolls[name, default: 0] += 1 } }
}
#endif
