internal import JWTCore
internal import Locks

/// A store in memory. Session and device identity are lost when the process ends.
public final class MemorySessionStore: SessionStore {
    private let stored: Locked<StoredContents>
    private let turn = AsyncLock()

    public init(_ contents: StoredContents = StoredContents()) { stored = Locked(contents) }

    public func contents() async throws(FlowError) -> StoredContents { stored.withLock { $0 } }

    public func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await turn.acquire()
        defer { turn.release() }
        var contents = stored.withLock { $0 }
        let result = try await body(&contents)
        stored.withLock { [contents] in $0 = contents }
        return result
    }
}
