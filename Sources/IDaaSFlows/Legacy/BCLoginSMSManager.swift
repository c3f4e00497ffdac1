/// Login with a code under the names of the vendor's SDK.
public final class BCLoginSMSManager: Sendable {
    private static let shared = BCLoginSMSManager()

    public static func sharedInstance() -> BCLoginSMSManager { shared }

    /// Calls back with `0` and a dictionary of `session_token` and `id_token`; otherwise with `1` or the server's code, and a text.
    public func loginsBySMSWithMobile(
        _ mobile: String, andWithVerifyCode verifyCode: String,
        andWithCompletionHandler completeHandler: @escaping BCLoginSMSCompleteHandler
    ) {
        BCIDACommonManager.sharedInstance().run(completeHandler) { flows in
            let outcome = await flows.sms.logIn(mobile: mobile, code: verifyCode)
            switch outcome {
            case .loggedIn(let session): return (outcome.legacyCode, .dictionary(session.legacyTokens))
            case .other(let status, _): return (outcome.legacyCode, .text(status))
            case .failed: return outcome.refusal(flows)
            }
        }
    }
}
