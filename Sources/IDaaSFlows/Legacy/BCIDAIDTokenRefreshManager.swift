/// Refreshing under the names of the vendor's SDK.
public final class BCIDAIDTokenRefreshManager: Sendable {
    private static let shared = BCIDAIDTokenRefreshManager()

    public static func sharedInstance() -> BCIDAIDTokenRefreshManager { shared }

    /// 0 with a JSON text of `id_token`, `session_token` and `expire`; 1 or the server's code with a text. The session token may be a new
    /// one: keep it.
    public func refreshIdTokenWithSessionToken(
        _ sessionToken: String, andWithCallBack callBack: @escaping BCIDAIdTokenRefreshIDTokenHandlerBlock
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows throws(FlowError) in
            guard !sessionToken.isEmpty else { throw FlowError(.missingInput("session_token")) }
            let outcome = await flows.sessions.renew(sessionToken: sessionToken)
            guard case .active(let session) = outcome else { return outcome.refusal(flows) }
            var reply: [String: WireValue] = ["id_token": .text(session.idToken), "session_token": .text(session.sessionToken)]
            if let expiresAt = session.expiresAt { reply["expire"] = .integer(expiresAt - session.renewedAt) }
            return (outcome.legacyCode, .text(String(decoding: WireValue.object(reply).json, as: UTF8.self)))
        }
    }
}
