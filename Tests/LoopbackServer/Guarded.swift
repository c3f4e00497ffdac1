import Glibc

/// A value that threads share, behind a mutex which every tool that looks for races knows.
@safe final class Guarded<Value>: @unchecked Sendable {
    // SAFETY: the mutex is made once, never moved, and destroyed with its owner; the value is reached only while it is held.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}

/// A thread that runs once and can be waited for.
struct Thread: Sendable {
    private let id: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws(SocketFailure) {
        // SAFETY: the box is retained here and released by the thread, once.
        let box = unsafe Unmanaged.passRetained(Box(body))
        var id = pthread_t()
        let result = unsafe pthread_create(
            &id, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            unsafe box.release()
            throw SocketFailure("pthread_create")
        }
        self.id = id
    }

    func join() { pthread_join(id, nil) }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
