internal import Foundation
internal import IDaaSWire

/// Records an audit event for each administration operation, as ``EndpointAdapter`` does for each authentication step.
package struct AdministrationAudit: Sendable {
    private let sink: any AuditSink
    private let clock: any ServerClock
    private let account: String

    /// - Parameter account: the acting account; nil means the account of this process.
    package init(sink: any AuditSink, clock: any ServerClock, account: String? = nil) {
        self.sink = sink
        self.clock = clock
        self.account = account ?? NSUserName()
    }

    /// Runs an operation and records an event for it, even if it fails.
    ///
    /// - Parameter act: gets the trail, to note its subject there.
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

    /// The text of other errors is left out: it may quote the value that failed.
    private static func outcome(of error: any Error) -> String {
        switch error {
        case let error as ServiceError: error.code.rawValue
        case let error as AdministrationFailure: "\(error)"
        case let error as KeyFailure: "\(error)"
        case let error as DatabaseFailure: error.code.rawValue
        case let error as StoreFailure: error.code.rawValue
        default: "\(type(of: error))"
        }
    }
}

extension Administration {
    /// Notes the user of a reference before the operation may delete that user.
    package func note(_ reference: String, on trail: AuditTrail) async {
        let find = finder(of: reference)
        if let user = try? await store.read({ try find($0) }) {
            trail.note(user: user)
        } else {
            trail.note(mobile: number(of: reference) ?? reference)
        }
    }
}
