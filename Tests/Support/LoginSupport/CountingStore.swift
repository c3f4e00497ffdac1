public import IDaaSFlows
internal import JWTCore
import Locks

/// A store in memory that counts its reads.
public final class CountingStore: SessionStore {
    private let store = MemorySessionStore()
    private let count = Locked(0)

    public init() {}

    public var reads: Int { count.withLock { $0 } }

    public func contents() async throws(FlowError) -> StoredContents {
        let contents = try await store.contents()
        count.withLock { $0 += 1 }
        return contents
    }

    public func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await store.exclusively(body)
    }
}
