internal import IDaaSWire

/// Refreshing under the names of the vendor's SDK.
public final class BCIDAIDTokenRefreshManager: Sendable {
    private static let shared = BCIDAIDTokenRefreshManager()

    public static func sharedInstance() -> BCIDAIDTokenRefreshManager { shared }

    /// Calls back with `0` and a JSON text of `id_token`, `session_token` and `expire`; otherwise with `1` or the server's code, and a
    /// text. Store the session token, because it may be new.
    public func refreshIdTokenWithSessionToken(
        _ sessionToken: String, andWithCallBack callBack: @escaping BCIDAIdTokenRefreshIDTokenHandlerBlock
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows throws(FlowError) in
            guard !sessionToken.isEmpty else { throw FlowError(.missingInput(WireMember.sessionToken)) }
            let outcome = await flows.sessions.renew(sessionToken: sessionToken)
            guard outcome.failure == nil, let session = outcome.session else { return outcome.refusal(flows) }
            var reply: [String: WireValue] = [
                WireMember.idToken: .text(session.idToken), WireMember.sessionToken: .text(session.sessionToken),
            ]
            if let expiresAt = session.expiresAt { reply[WireMember.expire] = .integer(expiresAt - session.renewedAt) }
            return (outcome.legacyCode, .text(String(decoding: WireValue.object(reply).json, as: UTF8.self)))
        }
    }
}
