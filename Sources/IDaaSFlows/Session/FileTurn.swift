internal import JWKSCache

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A lock file that serialises processes.
struct FileTurn: Sendable {
    let path: String
    let clock: any ElapsedClock
    let patience: Duration

    /// Waits for the lock. It polls with growing pauses, because a blocked thread could not be cancelled.
    ///
    /// - Throws: `store` of reason `busy` after ``patience``; `cancelled`.
    func take() async throws(FlowError) -> FileLock {
        let deadline = clock.elapsed + patience
        var pause: Duration = .milliseconds(2)
        while true {
            do throws(StoreFailure) {
                if let lock = try FileLock(path) { return lock }
            } catch {
                throw FlowError(.store(error))
            }
            guard !Task.isCancelled else { throw FlowError(.cancelled) }
            guard clock.elapsed < deadline else { throw FlowError(.store(StoreFailure(.busy))) }
            await clock.sleep(until: min(deadline, clock.elapsed + pause))
            pause = min(pause * 2, .milliseconds(100))
        }
    }
}

/// A lock on a file that is never moved. The process holds it from `init` to ``release()``, or until the process ends.
struct FileLock: Sendable {
    private let descriptor: Int32

    /// - Returns: nil while another process holds the lock.
    init?(_ path: String) throws(StoreFailure) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFailure(errno == ELOOP ? .notPrivate : .unwritable) }
        do {
            try PrivateFile.check(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    func release() { close(descriptor) }
}
