#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Runs `body` on `count` threads made for it, and waits for all of them. Their thread-local memory dies with them.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { index in Thread { body(index) } }
    for thread in threads { thread.join() }
}

@safe
private final class Thread {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        // SAFETY: the work was retained for the thread, which releases it.
        let code = unsafe pthread_create(&thread, nil, Self.run, work.toOpaque())
        guard code == 0 else { fatalError("no thread to be had") }
        self.thread = thread
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
        if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }

    func join() { pthread_join(thread, nil) }

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// A value under a pthread mutex, which ThreadSanitizer knows; Synchronization's Mutex it does not see.
@safe
public final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    public init(_ value: Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        guard unsafe pthread_mutex_init(mutex, nil) == 0 else { fatalError("no mutex to be had") }
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
