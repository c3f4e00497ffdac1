internal import JWTCore
internal import Locks
package import Logging
internal import ServiceLifecycle

/// Writes the audit events of a server into its store, while the server runs.
///
/// A request waits for no transaction: its event waits here, in order, until one writer has it in the store. After a failure the events wait
/// on. An event that finds no place, or that the server cannot write before it ends, is lost; it is counted, and the log says so.
package final class AuditQueue: AuditSink, Service, CustomStringConvertible {
    private struct State {
        /// Those that are in no durable transaction yet, oldest first.
        var events: [AuditEvent] = []
        /// The oldest of them, while they are written.
        var batch: AuditBatch?
        var isClosed = false
        /// Whether the last event found no place, and whether the last transaction failed: each is logged once.
        var isFull = false
        var isFailing = false
    }

    private let state = Locked(State())
    private let store: any Store
    private let server: String
    private let metrics: AuditMetrics
    private let logger: Logger
    private let limits: Limits
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    package struct Limits: Hashable, Sendable {
        /// The events that wait at most. With 400 bytes each they take 3 MiB.
        package var waiting = 8_192
        /// The events of a transaction at most.
        package var batch = 256
        /// The pause after a transaction: all servers lock the same row, so each does so 20 times a second at most while few events come.
        package var pause = Duration.milliseconds(50)
        package var pauseAfterFailure = Duration.seconds(1)

        package init() {}
    }

    /// - Parameter server: the name of this server in its events.
    package init(store: any Store, server: String, metrics: AuditMetrics, logger: Logger, limits: Limits = Limits()) {
        self.store = store
        self.server = server
        self.metrics = metrics
        self.logger = logger
        self.limits = limits
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The service group logs this name instead of the whole value.
    package var description: String { "audit" }

    package func record(_ event: AuditEvent) {
        let (count, isFirstLoss): (Int?, Bool) = state.withLock { state in
            guard !state.isClosed, state.events.count < limits.waiting else {
                defer { state.isFull = true }
                return (nil, !state.isFull)
            }
            state.events.append(event)
            return (state.events.count, false)
        }
        guard let count else { return lose(1, isFirstLoss ? "no more of them can wait" : nil) }
        metrics.waiting(count)
        arrival.yield()
    }

    /// Writes what arrives until the server stops, and then what still waits.
    package func run() async {
        await cancelWhenGracefulShutdown { [self] in
            for await _ in arrivals { await writeWhatWaits() }
        }
        await drain()
    }

    private func writeWhatWaits() async {
        while !Task.isCancelled, waiting > 0 {
            let isWritten = await write()
            if isWritten, waiting >= limits.batch { continue }
            try? await Task.sleep(for: isWritten ? limits.pause : limits.pauseAfterFailure)
        }
    }

    /// Takes no more events, and writes those that wait until a transaction fails: a server that stops does not wait for its database.
    package func drain() async {
        while waiting > 0 {
            guard await write() else { break }
        }
        let rest = state.withLock { state in
            state.isClosed = true
            defer { (state.events, state.batch) = ([], nil) }
            return state.events.count
        }
        metrics.waiting(0)
        lose(rest, "the server stops before its database takes them")
    }

    package var waiting: Int { state.withLock { $0.events.count } }

    /// Writes the oldest events in one transaction.
    ///
    /// - Returns: false after a failure; the events wait on.
    package func write() async -> Bool {
        let batch = state.withLock { state in
            // The same batch again: it knows whether an earlier try was committed after all.
            let batch = state.batch ?? AuditBatch(Array(state.events.prefix(limits.batch)), of: server)
            state.batch = batch
            return batch
        }
        do {
            // Also when this server is ending.
            try await Task { [store] in try await batch.write(to: store) }.value
            finish(batch)
            return true
        } catch {
            note(error)
            return false
        }
    }

    private func finish(_ batch: AuditBatch) {
        let (count, wasFailing) = state.withLock { state in
            state.events.removeFirst(batch.count)
            state.batch = nil
            state.isFull = false
            defer { state.isFailing = false }
            return (state.events.count, state.isFailing)
        }
        metrics.recorded(batch.count)
        metrics.waiting(count)
        if wasFailing { logger.notice("audit events are written to the database again") }
    }

    private func note(_ error: any Error) {
        metrics.failed(.database)
        let wasFailing = state.withLock { state in
            defer { state.isFailing = true }
            return state.isFailing
        }
        guard !wasFailing else { return }
        logger.error("audit events cannot be written to the database", metadata: ["error": "\(type(of: error)): \(error)"])
    }

    private func lose(_ count: Int, _ reason: String?) {
        guard count > 0 else { return }
        metrics.lost(count)
        if let reason { logger.error("audit events are lost", metadata: ["reason": "\(reason)", "count": "\(count)"]) }
    }
}
