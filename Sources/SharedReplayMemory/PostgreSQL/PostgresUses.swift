#if Gateway
internal import JWTCore
internal import PostgreSQLClient
internal import ReplayMemory

/// A connection to a PostgreSQL database with the table of uses.
final class PostgresUses: StoreConnection {
    private let connection: PostgresConnection
    private var nextSweep = StoreDeadline(in: .seconds(1))

    /// "asse": of the advisory lock that gateways make the table under, one after the other.
    private static let lock = "SELECT pg_advisory_xact_lock(\(0x6173_7365), hashtext(current_schema()))"
    private static let tables = [
        "CREATE TABLE IF NOT EXISTS assay_uses (name BYTEA PRIMARY KEY, ends BIGINT NOT NULL)",
        "CREATE INDEX IF NOT EXISTS assay_uses_ends ON assay_uses (ends)",
    ]
    /// Ended ones by the database's own clock, in a small portion, and none that another gateway deletes at the time.
    private static let deletion = """
        DELETE FROM assay_uses WHERE name IN (SELECT name FROM assay_uses \
        WHERE ends + \(StoreFailure.clockDifference) < extract(epoch FROM now()) ORDER BY ends LIMIT 500 FOR UPDATE SKIP LOCKED)
        """

    /// Connects to the first server that takes writes, and makes the table if it is not there.
    init(_ servers: [PostgresServer], _ deadline: StoreDeadline) throws(StoreFailure) {
        var made: PostgresConnection?, failure = StoreFailure(.unavailable, "no server", endsConnection: true)
        for (place, server) in servers.enumerated() where made == nil {
            // One that does not answer leaves time for the others.
            let share = StoreDeadline(in: deadline.remaining / (servers.count - place))
            do throws(StoreFailure) {
                made = try Self.running { try PostgresConnection(server, share.ofPostgres) }
            } catch {
                failure = error
            }
        }
        guard let made else { throw failure }
        connection = made
        try Self.running { try prepare(deadline) }
        // A user that may not delete gets no connection: the table would grow without end, and no answer would say so.
        _ = try sweep(deadline)
    }

    private func prepare(_ deadline: StoreDeadline) throws {
        // The answer is late anyway when the gateway has given up.
        connection.queue("SELECT set_config('statement_timeout', '5000', false), set_config('lock_timeout', '2000', false)", parameters: [])
        connection.queue("SELECT 1 WHERE to_regclass('assay_uses_ends') IS NOT NULL", parameters: [])
        guard try connection.flush(deadline.ofPostgres).rows.isEmpty else { return }
        for sql in ["BEGIN", Self.lock] + Self.tables + ["COMMIT"] { connection.queue(sql, parameters: []) }
        try connection.flush(deadline.ofPostgres)
    }

    var isOver: Bool { connection.isOver }

    func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate, _ deadline: StoreDeadline) throws(StoreFailure)
        -> ReplayUse
    {
        let seconds = end.nanoseconds > 0 && end.seconds < .max ? end.seconds + 1 : end.seconds
        let number = unsafe withUnsafeBytes(of: min(seconds, 1 << 40).bigEndian) { unsafe Array($0) }
        return try Self.running {
            connection.queue(
                "INSERT INTO assay_uses (name, ends) VALUES (?, ?) ON CONFLICT DO NOTHING", parameters: [identifier.bytes, number])
            return try connection.flush(deadline.ofPostgres).count == 1 ? .first : .replayed
        }
    }

    func maintain(_ deadline: StoreDeadline) throws(StoreFailure) {
        guard nextSweep.isOver else { return }
        // A whole portion: there may be more.
        nextSweep = StoreDeadline(in: try sweep(deadline) < 500 ? .seconds(1) : .zero)
    }

    /// Deletes a portion.
    ///
    /// - Returns: how many.
    private func sweep(_ deadline: StoreDeadline) throws(StoreFailure) -> Int {
        try Self.running {
            connection.queue(Self.deletion, parameters: [])
            return try connection.flush(deadline.ofPostgres).count
        }
    }

    private static func running<Value>(_ body: () throws -> Value) throws(StoreFailure) -> Value {
        do {
            return try body()
        } catch let error as PostgresError {
            // disk_full
            let code: ReplayMemoryError.Code = error.state == "53100" ? .full : .unavailable
            throw StoreFailure(code, "\(error.state) \(error.message)", endsConnection: true)
        } catch {
            throw StoreFailure(.unavailable, "the server's answer cannot be read", endsConnection: true)
        }
    }
}

extension StoreDeadline {
    fileprivate var ofPostgres: PostgresDeadline { PostgresDeadline(in: remaining) }
}
#endif
