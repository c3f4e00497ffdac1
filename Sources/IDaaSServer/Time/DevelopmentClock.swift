#if IDaaS
internal import JWTCore

/// A clock that can be put forward: for development, where a day has to pass at once.
package final class DevelopmentClock: ServerClock {
    private let base: any ServerClock
    private let offset = Locked(0)

    package init(over base: any ServerClock) { self.base = base }

    package var now: Timestamp { base.now + offset.withLock { $0 } }

    package func advance(by seconds: Int) { offset.withLock { $0 += seconds } }
}
#endif
