internal import PostgreSQLClient

/// Runs transactions one after the other, on a connection that it replaces where it ends.
final class PostgresWorker {
    private let servers: [PostgresServer]
    /// Of the server that took the last connection.
    private var place = 0
    private var connection: PostgresConnection?
    private var commits = 0

    /// A transaction that others are in the way of is tried so often. One without a server is tried until its deadline.
    private static let mostConflicts = 64

    private let schema: PostgresSchema

    init(_ servers: [PostgresServer], _ schema: PostgresSchema) {
        self.servers = servers
        self.schema = schema
    }

    /// Connects unless there is a connection, with one attempt.
    ///
    /// - Throws: ``PostgresError``; ``DatabaseFailure``.
    func connect(_ deadline: PostgresDeadline) throws { _ = try connected(deadline) }

    /// Runs `body` in a transaction, again after a conflict, and again on another connection where the first one ended before the commit.
    ///
    /// - Throws: ``StoreFailure``; errors of `body`.
    func transaction<Value>(_ mode: PostgresSession.Mode, _ deadline: PostgresDeadline, _ body: (PostgresSession) throws -> Value) throws
        -> Value
    {
        var conflicts = 0, losses = 0
        while true {
            do {
                let value = try attempt(mode, deadline, body)
                if mode == .writing { forgetNames(deadline) }
                return value
            } catch let error as PostgresError {
                if error.isLoss {
                    connection = nil
                    losses += 1
                } else if error.isConflict {
                    conflicts += 1
                } else {
                    throw error.failure
                }
                guard conflicts < Self.mostConflicts, !deadline.isOver else { throw error.failure }
                // A conflict ends with the other transaction, in milliseconds; a server that restarts takes longer.
                deadline.sleep(Self.pause(upTo: error.isLoss ? min(50 * losses, 500) : min(1 << min(conflicts, 7), 100)))
            }
        }
    }

    private static func pause(upTo milliseconds: Int) -> Duration { .microseconds(Int64.random(in: 0...Int64(milliseconds) * 1_000)) }

    private func attempt<Value>(_ mode: PostgresSession.Mode, _ deadline: PostgresDeadline, _ body: (PostgresSession) throws -> Value)
        throws -> Value
    {
        let connection = try connected(deadline)
        let session = PostgresSession(connection, deadline, mode), value: Value
        do {
            value = try body(session)
        } catch {
            // The first error counts; a connection that does not even roll back is given up.
            do { try session.rollBack() } catch { self.connection = nil }
            throw error
        }
        try commit(session, deadline)
        return value
    }

    private func commit(_ session: PostgresSession, _ deadline: PostgresDeadline) throws {
        do {
            try session.commit()
        } catch let error as PostgresError where error.isLoss {
            connection = nil
            guard let name = session.name, try isCommitted(name, deadline) else { throw error }
        } catch {
            do { try session.rollBack() } catch { connection = nil }
            throw error
        }
    }

    /// Finds out on another connection what became of a transaction whose commit had no answer, by giving its name to one that does nothing
    /// else. A name is given once: if the first transaction is still committing, the server waits for its end. Numbers of the server's own
    /// (`pg_xact_status`) do not do: after a crash it gives those anew that it had not yet written down.
    ///
    /// - Returns: false if it was undone, and can be tried again.
    /// - Throws: ``StoreFailure``: `outcomeUnknown` if no server answers in time.
    private func isCommitted(_ name: [UInt8], _ deadline: PostgresDeadline) throws -> Bool {
        while !deadline.isOver {
            do {
                let connection = try connected(deadline)
                // A commit after the one that is asked for. If replicas are synchronous, they have both when this one is answered: the wait
                // of the first may have ended with its connection.
                connection.queue(PostgresSchema.commit, [.blob(PostgresSession.freshName)])
                connection.queue("\(PostgresSchema.commit) ON CONFLICT DO NOTHING", [.blob(name)])
                return try connection.flush(deadline).count == 0
            } catch let error as PostgresError {
                if error.isLoss { connection = nil }
                deadline.sleep(.milliseconds(100))
            }
        }
        throw StoreFailure(.outcomeUnknown)
    }

    /// Removes old names now and then. A failure leaves them to the next time.
    private func forgetNames(_ deadline: PostgresDeadline) {
        commits += 1
        guard commits % 4_096 == 1, let connection else { return }
        connection.queue(PostgresSchema.forgetting, [])
        do { try connection.flush(deadline) } catch { self.connection = nil }
    }

    private func connected(_ deadline: PostgresDeadline) throws -> PostgresConnection {
        if let connection { return connection }
        do {
            let made = try PostgresConnection(servers[place], deadline)
            try schema.prepare(made, deadline)
            connection = made
            return made
        } catch let error as PostgresError {
            place = (place + 1) % servers.count
            throw error
        }
    }
}
