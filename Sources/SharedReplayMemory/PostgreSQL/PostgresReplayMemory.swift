#if Gateway
public import JWTCore
internal import PostgreSQLClient
public import ReplayMemory

/// A memory of uses in a PostgreSQL database, which gateways share. It makes its table, `assay_uses`, with the first connection.
///
/// An answer follows the commit, which survives a power failure, and with synchronous replicas a fail-over: `synchronous_commit` is never off. Rows
/// are deleted in small portions when their use has ended for five minutes by the database's clock: so far the clocks of the gateways may differ.
/// A full disk refuses (`full`).
public final class PostgresReplayMemory: ReplayMemory {
    private let workers: StoreWorkers

    /// Whether a setting names such a database.
    ///
    /// - Parameter setting: a URL.
    public static func isURL(_ setting: String) -> Bool {
        (setting.hasPrefix("postgresql://") || setting.hasPrefix("postgres://"))
            && (try? PostgresServer.all(of: setting, application: "")) != nil
    }

    /// Connects with the first uses.
    ///
    /// - Parameters:
    ///   - url: a connection URI (PostgreSQL's manual, section 34.1.1.2), with `sslmode`, `passfile` and several hosts, as libpq reads them.
    ///   - connections: the most that are open at a time.
    ///   - time: of each use, with its wait for a connection. After it the answer is `unavailable`.
    /// - Throws: `ReplayMemoryError`: `unavailable` for a URL that libpq cannot read, or if the system gives no thread.
    public init(url: String, connections: Int = 4, time: Duration = .seconds(1)) throws(ReplayMemoryError) {
        let servers: [PostgresServer]
        do throws(PostgresURLFault) {
            servers = try PostgresServer.all(of: url, application: "assay-gateway")
        } catch {
            throw ReplayMemoryError(.unavailable, "the database's URL cannot be read")
        }
        workers = try StoreWorkers(connections: max(1, connections), mostWaiting: 4_096, time: time) { deadline throws(StoreFailure) in
            try PostgresUses(servers, deadline)
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
