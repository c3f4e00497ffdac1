internal import JWTCore
internal import Locks

/// Audit events of a server that are written in one transaction.
package final class AuditBatch: Sendable {
    private let events: [AuditEvent]
    private let server: String
    /// The number that the last try gave the first event.
    private let drawn = Locked<Int?>(nil)

    package init(_ events: [AuditEvent], of server: String) {
        self.events = events
        self.server = server
    }

    package var count: Int { events.count }

    /// Writes the events. A try whose outcome is unknown may be followed by another: the events are in the store once.
    ///
    /// - Throws: ``StoreFailure``; errors of SQLite.
    package func write(to store: any Store) async throws {
        let earlier = drawn.withLock { $0 }
        try await store.write { [self] store in
            if let earlier, try isWritten(from: earlier, in: store) { return }
            let first = try store.add(events, of: server)
            drawn.withLock { $0 = first }
        }
    }

    /// Whether the store has exactly these events from a number on. If it has not, it never will: another try has the number, or none.
    private func isWritten(from first: Int, in store: any StoreReading) throws -> Bool {
        let stored = try store.auditEvents(after: first - 1, limit: events.count)
        return stored == events.enumerated().map { StoredAuditEvent(number: first + $0, server: server, line: $1.line) }
    }
}
