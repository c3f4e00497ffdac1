/// What a logout ends in.
public enum LogoutOutcome: FlowOutcome {
    /// Here and at the server; or there was nobody to log out.
    case loggedOut
    /// Here; the server could not be told.
    case loggedOutHere(FlowError)
    /// Nothing was ended.
    case failed(FlowError)

    /// 0 where nobody is logged in here any more; otherwise the server's code, or 1. The documents have no such call.
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
                // Tenants of the signature know the call as a GET alone, which has nothing to say.
                guard form == .sessionToken || everywhere else { return WireCall(get: "/api/v2/sdk/logout", fields) }
                return WireCall(post: "/api/v2/sdk/logout", everywhere ? ["all": .bool(true)] : [:], fields)
            }
            return .loggedOut
        } catch {
            if error.reason == .cancelled { throw error }
            if case .service(let refusal) = error.reason, refusal.code == .expired { return .loggedOut }
            return everywhere ? .failed(error) : .loggedOutHere(error)
        }
    }
}
