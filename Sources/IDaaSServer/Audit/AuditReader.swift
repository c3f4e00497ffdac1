/// Reads the audit events of all servers from the store, each once and in their order.
package struct AuditReader: Sendable {
    private let store: any Store
    /// The number of the last event that was read.
    package private(set) var last: Int

    /// The next events of a reader.
    package struct Page: Hashable, Sendable {
        package var events: [StoredAuditEvent]
        /// The events between the last page and the last event of this one that had been deleted by their age.
        package var deleted: Int
        /// Whether there were more.
        package var isFull: Bool
    }

    /// - Parameter last: the number of the event before the first one to read; 0 for all that the store has.
    package init(store: any Store, after last: Int = 0) {
        self.store = store
        self.last = last
    }

    private static let limit = 500

    /// Reads at most 500 events, which may be none.
    ///
    /// - Throws: ``AdministrationFailure/unknownAuditNumber`` if the store has not had the number of the last event; ``StoreFailure``;
    ///   errors of SQLite.
    package mutating func next() async throws -> Page {
        let (events, newest) = try await store.read { [last] in
            (try $0.auditEvents(after: last, limit: Self.limit), try $0.newestAuditNumber())
        }
        guard newest >= last else { throw AdministrationFailure.unknownAuditNumber }
        defer { last = events.last?.number ?? last }
        return Page(
            events: events, deleted: events.last.map { $0.number - last - events.count } ?? 0, isFull: events.count == Self.limit)
    }
}
