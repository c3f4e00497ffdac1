#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Lets the threads of a batch write in the order of their blocks.
@safe
final class WriteOrder: @unchecked Sendable {
    // A mutex and a condition must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The number of written blocks. Guarded by the mutex.
    private var blocks = 0

    init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Returns when all blocks before this one are written.
    func wait(for block: Int) {
        unsafe pthread_mutex_lock(mutex)
        while blocks < block { unsafe pthread_cond_wait(condition, mutex) }
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Notes that the block whose turn it is is written.
    func advance() {
        unsafe pthread_mutex_lock(mutex)
        blocks += 1
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(mutex)
    }
}
