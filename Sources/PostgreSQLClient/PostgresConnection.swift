internal import CPostgreSQL

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A connection to PostgreSQL, used by one thread.
///
/// libpq never blocks here: statements are queued in a pipeline (PostgreSQL's manual, section 34.5), and ``flush(_:)`` sends them and waits with
/// poll(2) until their results are there or the deadline is over. After an error a connection that still works is at a point of
/// synchronisation, so that it takes a rollback.
@safe
package final class PostgresConnection {
    // SAFETY: made in init and ended in deinit; only the thread that owns this object uses it.
    private let connection: OpaquePointer
    /// The names of prepared statements, by their SQL with `?`.
    private var statements: [String: String] = [:]
    private var lastStatement = 0
    /// What goes with the next flush.
    private var queue: [(sql: String, parameters: [[UInt8]?])] = []

    /// What a result belongs to.
    private enum Sent {
        case preparation(sql: String)
        case execution
    }

    /// Connects, and refuses a database that cannot keep every text. A commit that is answered survives a crash of the server.
    ///
    /// - Throws: ``PostgresError``.
    package init(_ server: PostgresServer, _ deadline: PostgresDeadline) throws {
        unsafe connection = try server.start()
        // Everything below needs a deinit that ends the connection.
        try connect(deadline.ofAnswer)
        // Notices are for a person; libpq prints them.
        unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard unsafe PQsetnonblocking(connection, 1) == 0, unsafe PQenterPipelineMode(connection) == 1 else { throw loss }
        try settle(deadline)
    }

    deinit { unsafe PQfinish(connection) }

    private func connect(_ deadline: PostgresDeadline) throws {
        guard unsafe PQstatus(connection) != CONNECTION_BAD else { throw loss }
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step != PGRES_POLLING_FAILED else { throw loss }
            try wait(for: step == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline)
            step = unsafe PQconnectPoll(connection)
        }
    }

    /// A text of the database has any Unicode character, and an answer follows a commit that a crash does not undo. Time-outs end what a
    /// client that is gone began.
    private func settle(_ deadline: PostgresDeadline) throws {
        queue("SELECT current_setting('server_encoding')", parameters: [])
        guard try flush(deadline).rows.first?.first?.bytes == Array("UTF8".utf8) else {
            throw PostgresError(state: "22021", message: "the database's encoding is not UTF8")
        }
        queue("SELECT set_config('statement_timeout', '5000', false), set_config('lock_timeout', '3000', false)", parameters: [])
        queue("SELECT set_config('idle_in_transaction_session_timeout', '15000', false)", parameters: [])
        queue(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')",
            parameters: [])
        _ = try flush(deadline)
    }

    // Statements

    /// Adds a statement to the queue.
    ///
    /// - Parameter parameters: in PostgreSQL's binary format; nil for null.
    package func queue(_ sql: String, parameters: [[UInt8]?]) { queue.append((sql, parameters)) }

    /// Empties the queue.
    package func forgetQueue() { queue = [] }

    private func send(_ sql: String, _ bytes: [[UInt8]?], _ sent: inout [Sent]) {
        let name = statements[sql] ?? prepare(sql, &sent)
        let lengths = bytes.map { Int32($0?.count ?? 0) }, formats = [Int32](repeating: 1, count: bytes.count)
        // One memory for all values: each pointer stays valid until libpq has copied it.
        let memory: [UInt8] = bytes.flatMap { value -> [UInt8] in value ?? [] } + [0]
        unsafe memory.withUnsafeBufferPointer { memory in
            var start = 0
            let pointers: [UnsafePointer<CChar>?] = unsafe bytes.map { value in
                guard let value, let base = memory.baseAddress else { return nil }
                defer { start += value.count }
                return unsafe UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
            }
            // A failure shows as a connection that is bad, in the flush that follows.
            unsafe PQsendQueryPrepared(connection, name, Int32(bytes.count), pointers, lengths, formats, 1)
        }
        sent.append(.execution)
    }

    private func prepare(_ sql: String, _ sent: inout [Sent]) -> String {
        lastStatement += 1
        let name = "s\(lastStatement)"
        unsafe PQsendPrepare(connection, name, sql.withNumberedPlaceholders, 0, nil)
        sent.append(.preparation(sql: sql))
        statements[sql] = name
        return name
    }

    /// Sends the queue and waits for all its results.
    ///
    /// - Returns: that of the last statement.
    /// - Throws: ``PostgresError``: the first one. Nothing behind it in the queue was done.
    @discardableResult
    package func flush(_ deadline: PostgresDeadline) throws -> PostgresResult {
        let deadline = deadline.ofAnswer
        var sent: [Sent] = []
        for (sql, parameters) in queue { send(sql, parameters, &sent) }
        queue = []
        guard unsafe PQpipelineSync(connection) == 1 else { throw loss }
        var last = PostgresResult(), failure: PostgresError?
        for entry in sent {
            do {
                let result = try result(deadline)
                if case .execution = entry { last = result }
            } catch let error as PostgresError {
                if error.isLoss { throw error }
                failure = failure ?? error
                if case .preparation(let sql) = entry { statements[sql] = nil }
            }
        }
        try synchronize(deadline)
        if let failure { throw failure }
        return last
    }

    /// The result of one statement, and the end of its results.
    private func result(_ deadline: PostgresDeadline) throws -> PostgresResult {
        guard let result = unsafe try next(deadline) else { throw loss }
        defer { unsafe PQclear(result) }
        let status = unsafe PQresultStatus(result)
        // Nothing follows what an earlier error ended but its own end.
        while let more = unsafe try next(deadline) { unsafe PQclear(more) }
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return unsafe PostgresResult(result)
        case PGRES_PIPELINE_ABORTED: throw PostgresError(state: "25P02", message: "an earlier statement failed")
        default: throw unsafe PostgresError(result)
        }
    }

    private func synchronize(_ deadline: PostgresDeadline) throws {
        guard let result = unsafe try next(deadline) else { throw loss }
        defer { unsafe PQclear(result) }
        guard unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw loss }
    }

    private func next(_ deadline: PostgresDeadline) throws -> OpaquePointer? {
        while true {
            let unsent = unsafe PQflush(connection)
            guard unsent >= 0 else { throw loss }
            if unsafe PQisBusy(connection) == 0 { return unsafe PQgetResult(connection) }
            try wait(for: unsent == 1 ? POLLIN | POLLOUT : POLLIN, deadline)
            guard unsafe PQconsumeInput(connection) == 1 else { throw loss }
        }
    }

    /// - Throws: a loss at the deadline: what the server does then is unknown, so the connection is given up.
    private func wait(for events: Int32, _ deadline: PostgresDeadline) throws {
        var entry = pollfd(fd: unsafe PQsocket(connection), events: Int16(events), revents: 0)
        while true {
            let remaining = deadline.milliseconds
            guard remaining > 0, !deadline.isOver else { throw PostgresError(state: "", message: "no answer in time") }
            let count = unsafe poll(&entry, 1, remaining)
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw PostgresError(state: "", message: unsafe String(cString: strerror(errno))) }
        }
    }

    /// Whether a transaction has begun that is neither committed nor undone. After a flush.
    package var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

    /// Whether the server has ended an idle connection, or sent what nobody asked for. Never waits.
    package var isOver: Bool {
        var entry = pollfd(fd: unsafe PQsocket(connection), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) != 0
    }

    private var loss: PostgresError {
        PostgresError(state: "", message: unsafe PostgresError.line(PQerrorMessage(connection)))
    }
}

extension String {
    /// `$1`, `$2` … in place of each `?`. No text in the callers' SQL has a question mark.
    fileprivate var withNumberedPlaceholders: String {
        var number = 0
        return split(separator: "?" as Character, omittingEmptySubsequences: false).map(String.init).reduce(into: "") { sql, part in
            if number > 0 { sql += "$\(number)" }
            sql += part
            number += 1
        }
    }
}
