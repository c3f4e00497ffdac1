#if Gateway
public import JWTCore
public import ReplayMemory

/// A memory of uses in a Valkey or Redis server (from 2.6.12), which gateways share: `SET … NX EX`.
///
/// The server keeps 64 hexadecimal digits for each use until its end and five minutes more: so far the clocks of the gateways may differ. A full
/// server refuses (`full`); one that may evict live keys is refused when the connection begins, for which the user needs `INFO`.
///
/// Replication of such a server is asynchronous. After a fail-over the new primary may lack the latest uses of the old one, and these may then pass
/// once more. So may those that a server had not yet written to its disk when it lost power. ``PostgresReplayMemory`` has neither gap.
public final class ValkeyReplayMemory: ReplayMemory {
    private let workers: StoreWorkers

    /// Connects with the first uses.
    ///
    /// - Parameters:
    ///   - server: the place.
    ///   - connections: the most that are open at a time.
    ///   - time: of each use, with its wait for a connection. After it the answer is `unavailable`.
    /// - Throws: `ReplayMemoryError`: `unavailable` if the system gives no thread, or for certificates that cannot be read.
    public init(_ server: ValkeyServer, connections: Int = 4, time: Duration = .seconds(1)) throws(ReplayMemoryError) {
        let tls = server.isTLS ? try ValkeyTLS(certificateFile: server.certificateFile) : nil
        workers = try StoreWorkers(connections: max(1, connections), mostWaiting: 4_096, time: time) { deadline throws(StoreFailure) in
            try ValkeyConnection(server, tls, deadline)
        }
    }

    deinit { workers.close() }

    /// Uses `identifier`, and waits for the store's answer.
    ///
    /// - Parameters:
    ///   - identifier: what is used.
    ///   - end: from this date on the caller refuses the thing for its age.
    ///   - now: the caller's date.
    /// - Returns: whether this is the first use.
    /// - Throws: `ReplayMemoryError`: `full`, `unavailable` or `ended`.
    public func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) async throws(ReplayMemoryError) -> ReplayUse {
        try await workers.use(identifier, until: end, now: now)
    }
}
#endif
