internal import Foundation
internal import JWKSCache

/// Processes taking turns by a lock file.
struct FileTurn: Sendable {
    let path: String
    let clock: any ElapsedClock
    let patience: Duration

    /// Waits for our turn. Tries again and again, ever more seldom: a thread that waits could not be cancelled.
    ///
    /// - Throws: `store` of reason `busy` when patience is at its end, `cancelled`.
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

/// A lock on a file that stays where it is. Held from being made to ``release()``, or to the end of the process.
struct FileLock: Sendable {
    private let descriptor: Int32

    /// Nil where somebody else holds it.
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
