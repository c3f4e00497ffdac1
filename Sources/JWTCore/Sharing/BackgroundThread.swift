internal import COpenSSL

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A detached thread beside those of the program.
package enum BackgroundThread {
    /// Runs `body` on a new thread that blocks every signal except faults. The program's signal handlers then run on its own threads, and a
    /// crash reporter still sees a fault. When the process exits, the thread stops where it next calls libcrypto, which is freed then.
    ///
    /// - Returns: false if the system gives no thread; `body` is then not called.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        // A thread inherits the mask of its creator.
        var mask = sigset_t(), callers = sigset_t()
        unsafe sigfillset(&mask)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { unsafe sigdelset(&mask, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &mask, &callers)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &callers, nil) }
        let isStarted = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                cossl_own_thread()
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard isStarted == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
