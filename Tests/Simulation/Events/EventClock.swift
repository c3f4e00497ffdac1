import IDaaSServer
import Locks

/// The clock of the fleet's transmitter. It stands still until the fleet goes on.
final class EventClock: ServerClock {
    private let elapsed = Locked(Duration.zero)

    var now: Timestamp { Timestamp(seconds: Duration.zero.date) + elapsed.withLock { $0 } }

    func advance(to moment: Duration) { elapsed.withLock { $0 = moment } }
}
