#if IDaaS
internal import Foundation

/// Keeps an event of each act of those who run the server, as ``EndpointAdapter`` does of each step of those who log in.
package struct AdministrationAudit: Sendable {
    private let sink: any AuditSink
    private let clock: any ServerClock
    private let account: String

    /// - Parameter account: who acts; nil is the account that this process runs under.
    package init(sink: any AuditSink, clock: any ServerClock, account: String? = nil) {
        self.sink = sink
        self.clock = clock
        self.account = account ?? NSUserName()
    }

    /// Acts, and keeps an event of it whether or not it succeeds.
    ///
    /// - Parameter act: is given the trail, to note on it what it is about.
    package func record<Value>(_ action: AuditAction, _ act: (AuditTrail) async throws -> Value) async throws -> Value {
        let trail = AuditTrail()
        do {
            let value = try await act(trail)
            await keep(action, "ok", trail)
            return value
        } catch {
            await keep(action, Self.outcome(of: error), trail)
            throw error
        }
    }

    private func keep(_ action: AuditAction, _ outcome: String, _ trail: AuditTrail) async {
        let notes = trail.notes
        await sink.record(
            AuditEvent(
                time: clock.now, action: action, outcome: outcome, requestID: nil, client: notes.client, subject: notes.subject,
                userID: notes.userID, sessionID: nil, address: nil, account: account))
    }

    /// Nothing of what other errors say: they may quote what they failed on.
    private static func outcome(of error: any Error) -> String {
        switch error {
        case let error as ServiceError: error.code.rawValue
        case let error as AdministrationFailure: "\(error)"
        case let error as KeyFailure: "\(error)"
        default: "\(type(of: error))"
        }
    }
}

extension Administration {
    /// Notes whom a reference means, before there is possibly nobody any more.
    package func note(_ reference: String, on trail: AuditTrail) async {
        let find = finder(of: reference)
        if let user = try? await store.read({ try find($0) }) {
            trail.note(user: user)
        } else {
            trail.note(mobile: number(of: reference) ?? reference)
        }
    }
}

extension ServerConfiguration {
    /// The audit file of the settings, for a process beside the server.
    ///
    /// It begins no new file: the server would go on writing to the old one under its new name.
    ///
    /// - Throws: `ConfigurationError` when the file cannot be opened: what has to leave an event is not done without.
    package func administrationSink(onFailure: @escaping @Sendable (String) -> Void) throws -> any AuditSink {
        guard !audit.file.isEmpty else { return NoAudit() }
        return try AuditLog(path: audit.file, rotateBytes: .max, keep: audit.keep, onFailure: onFailure)
    }
}
#endif
