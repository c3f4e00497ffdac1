internal import IDaaSWire

/// The outcome of a logout.
public enum LogoutOutcome: FlowOutcome {
    /// The session ended here and at the server, or there was none.
    case loggedOut
    /// The session ended only here: the server could not be reached.
    case loggedOutHere(FlowError)
    /// Nothing ended.
    case failed(FlowError)

    /// `0` if no user is logged in here any more; otherwise the server's code or `1`. The documents have no such call.
    public var legacyCode: String { if case .failed(let error) = self { error.legacyCode } else { "0" } }

    public var failure: FlowError? {
        switch self {
        case .loggedOut: nil
        case .loggedOutHere(let error), .failed(let error): error
        }
    }
}

extension SessionRefresh {
    /// Ends a session at the server.
    ///
    /// - Throws: `cancelled`.
    func end(_ session: Session, everywhere: Bool) async throws(FlowError) -> LogoutOutcome {
        do throws(FlowError) {
            _ = try await proof.call(session) { [form = wire.configuration.sessionForm] fields in
                // Tenants of the signature form support logout only as GET, which has no body.
                guard form == .sessionToken || everywhere else { return WireCall(get: WirePath.logout, fields) }
                return WireCall(post: WirePath.logout, everywhere ? [WireMember.everywhere: .bool(true)] : [:], fields)
            }
            return .loggedOut
        } catch {
            if error.reason == .cancelled { throw error }
            if case .service(let refusal) = error.reason, refusal.code == .expired { return .loggedOut }
            return everywhere ? .failed(error) : .loggedOutHere(error)
        }
    }
}
