#if IDaaS
import IDaaSFlows
import JWTTestSupport

/// A store in memory that counts how often it was looked into.
final class CountedStore: SessionStore {
    private let store = MemorySessionStore()
    private let count = Guarded(0)

    var reads: Int { count.withLock { $0 } }

    func contents() async throws(FlowError) -> StoredContents {
        let contents = try await store.contents()
        count.withLock { $0 += 1 }
        return contents
    }

    func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await store.exclusively(body)
    }
}
#endif
