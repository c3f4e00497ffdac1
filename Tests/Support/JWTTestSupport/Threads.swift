internal import JWTCore
import Locks

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Runs `body` on `count` new threads, and waits for all of them. Their thread-local memory is freed with them.
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

/// A value under a lock that ThreadSanitizer knows.
public final class Guarded<Value: Sendable>: Sendable {
    private let value: Locked<Value>

    public init(_ value: Value) { self.value = Locked(value) }

    public func withLock<Result>(_ body: (inout Value) -> Result) -> Result { value.withLock(body) }
}
