public import JWKSCache
internal import JWTCore

/// A store in a file that only its owner can read or write. Each change replaces the whole file. A lock file beside it serialises processes
/// (`flock`; the lock ends with its process).
public final class FileSessionStore: SessionStore {
    public let path: String
    private let turn = AsyncLock()
    private let file: FileTurn

    /// - Parameters:
    ///   - path: the file, in an existing directory. The store makes `{path}.lock` beside it.
    ///   - clock: measures the waiting time.
    ///   - patience: how long a call waits for another process before it fails as `busy`. It must be longer than a refresh.
    public init(path: String, clock: any ElapsedClock = SystemElapsedClock(), patience: Duration = .seconds(60)) {
        self.path = path
        file = FileTurn(path: path + ".lock", clock: clock, patience: patience)
    }

    public func contents() async throws(FlowError) -> StoredContents { try read() }

    public func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await turn.acquire()
        defer { turn.release() }
        let lock = try await file.take()
        defer { lock.release() }
        let before = try read()
        var contents = before
        let result = try await body(&contents)
        if contents != before { try write(contents) }
        return result
    }

    private func read() throws(FlowError) -> StoredContents {
        do throws(StoreFailure) {
            guard let bytes = try PrivateFile.read(path) else { return StoredContents() }
            guard let contents = try? JSONTree.decode(StoredContents.self, from: bytes) else { throw StoreFailure(.malformed) }
            return contents
        } catch {
            throw FlowError(.store(error))
        }
    }

    private func write(_ contents: StoredContents) throws(FlowError) {
        do throws(StoreFailure) {
            guard let tree = try? JSONTree(encoding: contents) else { throw StoreFailure(.unwritable) }
            try PrivateFile.write(tree.json, to: path)
        } catch {
            throw FlowError(.store(error))
        }
    }
}
