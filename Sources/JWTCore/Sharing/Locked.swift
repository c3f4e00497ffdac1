#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A value behind a lock. A pthread mutex, because ThreadSanitizer on Linux does not see Synchronization's; never on the way of a token
/// whose key is known.
@safe
package final class Locked<Value>: @unchecked Sendable {
    // SAFETY: allocated here, initialised once, destroyed in deinit; `value` is touched under it alone.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Takes the lock, to be given back by ``unlock()`` on the same thread: for what has to hold it across a fork.
    func lock() { unsafe pthread_mutex_lock(mutex) }

    func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// The value, for whoever has taken the lock by ``lock()``.
    var held: Value { value }

    /// The same where nobody holds the lock; nil, without waiting, where somebody does.
    package func withLockIfFree<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
