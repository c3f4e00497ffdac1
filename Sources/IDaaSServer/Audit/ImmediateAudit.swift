/// Writes each audit event into the store before it returns, for a process that ends after a few of them.
struct ImmediateAudit: AuditSink {
    let store: any Store
    let server: String
    let onFailure: @Sendable (String) -> Void

    func record(_ event: AuditEvent) async {
        do {
            try await AuditBatch([event], of: server).write(to: store)
        } catch {
            onFailure("the audit event could not be written to the database: \(error)")
        }
    }
}
