#if IDaaS
import IDaaSServer
import JWTCore

/// A clock that stands until it is told to go on.
final class StandingClock: ServerClock {
    private let instant = Locked(Timestamp(seconds: 1_800_000_000))

    var now: Timestamp { instant.withLock { $0 } }

    func advance(_ seconds: Int, milliseconds: Int = 0) {
        instant.withLock { $0 = Timestamp(milliseconds: ($0 + seconds).milliseconds + Int64(milliseconds)) }
    }
}
#endif
