#if canImport(Darwin)
internal import Dispatch
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Wakes a waiting thread, from any thread and without a lock. If no thread waits, the next wait ends immediately.
@safe
package final class Wakeup: @unchecked Sendable {
    #if canImport(Darwin)
    private var semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func signal() { semaphore.signal() }

    package func wait() { semaphore.wait() }

    /// Waits no longer than `nanoseconds`.
    package func wait(nanoseconds: Int) { _ = semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds)) }

    /// Resets it in a forked child, in which no thread waits.
    package func reset() { semaphore = DispatchSemaphore(value: 0) }
    #else
    // SAFETY: allocated and initialised here, and freed in deinit, when no thread uses it.
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    package func signal() { unsafe sem_post(semaphore) }

    /// Returns early if a signal handler ran.
    package func wait() { unsafe sem_wait(semaphore) }

    /// Waits no longer than `nanoseconds`.
    package func wait(nanoseconds: Int) {
        var end = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &end)
        let sum = Int(end.tv_nsec) + nanoseconds
        end.tv_sec += sum / 1_000_000_000
        end.tv_nsec = sum % 1_000_000_000
        unsafe sem_timedwait(semaphore, &end)
    }

    /// Resets it in a forked child, in which no thread waits.
    package func reset() { unsafe sem_init(semaphore, 0, 0) }
    #endif
}
