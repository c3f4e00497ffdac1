internal import Foundation
public import JWKSCache

/// A store in a file that only its owner can read or write. It is replaced as a whole, and a lock file beside it (`flock`, which dies with
/// its process) says whose turn it is.
public final class FileSessionStore: SessionStore {
    public let path: String
    private let clock: any ElapsedClock
    private let turn = AsyncLock()
    /// How long another process is waited for: longer than a refresh can take.
    private let patience: Duration

    /// - Parameters:
    ///   - path: the file, in a directory that exists. `{path}.lock` is made beside it.
    ///   - patience: how long another process may have the store before a call fails as `busy`.
    public init(path: String, clock: any ElapsedClock = SystemElapsedClock(), patience: Duration = .seconds(60)) {
        self.path = path
        self.clock = clock
        self.patience = patience
    }

    public func contents() async throws(FlowError) -> StoredContents { try read() }

    public func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await turn.acquire()
        defer { turn.release() }
        let lock = try await lock()
        defer { lock.release() }
        let before = try read()
        var contents = before
        let result = try await body(&contents)
        if contents != before { try write(contents) }
        return result
    }

    /// Tries again and again, ever more seldom: a thread that waits could not be cancelled.
    private func lock() async throws(FlowError) -> FileLock {
        let deadline = clock.elapsed + patience
        var pause: Duration = .milliseconds(2)
        while true {
            do throws(StoreFailure) {
                if let lock = try FileLock(path + ".lock") { return lock }
            } catch {
                throw FlowError(.store(error))
            }
            guard !Task.isCancelled else { throw FlowError(.cancelled) }
            guard clock.elapsed < deadline else { throw FlowError(.store(StoreFailure(.busy))) }
            await clock.sleep(until: min(deadline, clock.elapsed + pause))
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    private func read() throws(FlowError) -> StoredContents {
        do throws(StoreFailure) {
            guard let bytes = try PrivateFile.read(path) else { return StoredContents() }
            guard let contents = try? JSONDecoder().decode(StoredContents.self, from: Data(bytes)) else { throw StoreFailure(.malformed) }
            return contents
        } catch {
            throw FlowError(.store(error))
        }
    }

    private func write(_ contents: StoredContents) throws(FlowError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do throws(StoreFailure) {
            guard let data = try? encoder.encode(contents) else { throw StoreFailure(.unwritable) }
            try PrivateFile.write(Array(data), to: path)
        } catch {
            throw FlowError(.store(error))
        }
    }
}
