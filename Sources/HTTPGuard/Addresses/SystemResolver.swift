internal import JWTCore
internal import Locks

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Calls of the system's resolver, for which a fork waits: glibc holds locks of its own in `getaddrinfo`, and a child could never take one
/// that another thread held at the fork.
enum SystemResolver {
    /// How many calls are under way. A fork holds the lock, so none begins meanwhile.
    private static let calls = Locked(0)

    /// A resolver may wait for a server of names that is away. Then the fork goes on without it.
    private static let longestWait = Duration.seconds(2)

    private static let areForksDelayed: Void = Forks.handle(
        before: { SystemResolver.lockWhenIdle() }, inParent: { SystemResolver.calls.unlock() },
        inChild: {
            SystemResolver.calls.unlock()
            SystemResolver.calls.withLock { $0 = 0 }
        })

    /// Runs `body`, which calls the resolver.
    static func call<Result>(_ body: () -> Result) -> Result {
        _ = areForksDelayed
        calls.withLock { $0 += 1 }
        defer { calls.withLock { $0 -= 1 } }
        return body()
    }

    private static func lockWhenIdle() {
        let deadline = ContinuousClock.now + longestWait
        calls.lock()
        while calls.held > 0, ContinuousClock.now < deadline {
            calls.unlock()
            usleep(500)
            calls.lock()
        }
    }
}
