#if canImport(Darwin)
package import Darwin
#elseif canImport(Musl)
package import Musl
#else
package import Glibc
#endif

/// A value protected by a lock: a pthread mutex, because ThreadSanitizer on Linux does not see Synchronization's. Verifying a token with a
/// known key never takes one.
@safe
package final class Locked<Value>: @unchecked Sendable {
    // SAFETY: allocated here, initialised once, destroyed in deinit; `value` is accessed only under it.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var value: Value

    @inlinable package init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        self.value = value
    }

    @inlinable deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    @inlinable package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Takes the lock until ``unlock()`` on the same thread: for holding it across a fork.
    @inlinable package func lock() { unsafe pthread_mutex_lock(mutex) }

    @inlinable package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// The value. The caller has taken the lock by ``lock()``.
    @inlinable package var held: Value { value }

    /// Runs `body` if the lock is free. Returns nil, without waiting, if another thread holds it.
    ///
    /// - Parameter waits: waits for the lock instead. For tests.
    @inlinable package func withLockIfFree<Result>(orWaiting waits: Bool = false, _ body: (inout Value) throws -> Result) rethrows
        -> Result?
    {
        guard unsafe pthread_mutex_trylock(mutex) == 0 || waits && pthread_mutex_lock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
