internal import Logging

/// Where audit events go.
extension ServerConfiguration {
    /// The queue of a server whose events go into the database; nil for another one.
    func auditQueue(_ store: any Store, _ metrics: AuditMetrics, _ logger: Logger) -> AuditQueue? {
        guard audit.database else { return nil }
        return AuditQueue(store: store, server: audit.serverName, metrics: metrics, logger: logger)
    }

    /// The configured audit file, and a queue.
    ///
    /// - Throws: `ConfigurationError` when the file cannot be opened: a server with a configured file does not start without it.
    func auditSink(_ queue: AuditQueue?, _ metrics: AuditMetrics, _ logger: Logger) throws -> any AuditSink {
        var sinks: [any AuditSink] = []
        if !audit.file.isEmpty {
            sinks.append(
                try AuditLog(path: audit.file, rotateBytes: audit.rotateBytes, keep: audit.keep) {
                    metrics.failed(.file)
                    logger.error("\($0)")
                })
        }
        if let queue { sinks.append(queue) }
        return sinks.isEmpty ? NoAudit() : AuditSinks(sinks)
    }

    /// The configured audit file and the audit events in the database, for a process beside the server. An event is written when the sink
    /// returns.
    ///
    /// It does not rotate the file: the server would continue to write to the old one under its new name.
    ///
    /// - Parameters:
    ///   - store: that of this configuration.
    ///   - onFailure: is called, without the event, when an event could not be written.
    /// - Throws: `ConfigurationError` when the file cannot be opened: an operation without an audit event is not allowed.
    package func administrationSink(
        _ store: any Store, onFailure: @escaping @Sendable (String) -> Void
    ) throws -> any AuditSink {
        var sinks: [any AuditSink] = []
        if !audit.file.isEmpty {
            sinks.append(try AuditLog(path: audit.file, rotateBytes: .max, keep: audit.keep, onFailure: onFailure))
        }
        if audit.database { sinks.append(ImmediateAudit(store: store, server: audit.serverName, onFailure: onFailure)) }
        return sinks.isEmpty ? NoAudit() : AuditSinks(sinks)
    }
}
