package import IDaaSServer
internal import JWTCore
import Locks

/// A clock that stands still until a test moves it.
package final class ManualServerClock: ServerClock {
    private let time: Locked<Timestamp>

    /// 2025-11-21T07:06:40Z by default: a round number of seconds.
    package init(_ start: Timestamp = Timestamp(seconds: 1_763_708_800)) { time = Locked(start) }

    package var now: Timestamp { time.withLock { $0 } }

    package func advance(by seconds: Int) { time.withLock { $0 = $0 + .seconds(seconds) } }

    package func advance(milliseconds: Int64) { time.withLock { $0.milliseconds += milliseconds } }
}
