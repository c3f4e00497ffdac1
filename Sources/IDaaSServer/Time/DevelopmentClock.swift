internal import JWTCore
internal import Locks

/// A clock that can be moved forward, for tests of long times in development.
package final class DevelopmentClock: ServerClock {
    private let base: any ServerClock
    private let offset = Locked(Duration.zero)

    package init(over base: any ServerClock) { self.base = base }

    package var now: Timestamp { base.now + offset.withLock { $0 } }

    package func advance(by span: Duration) { offset.withLock { $0 += span } }
}
