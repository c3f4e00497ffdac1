/// Login with a code under the names of the vendor's SDK.
public final class BCLoginSMSManager: Sendable {
    private static let shared = BCLoginSMSManager()

    public static func sharedInstance() -> BCLoginSMSManager { shared }

    /// 0 with `session_token` and `id_token`; 1 or the server's code with a text.
    public func loginsBySMSWithMobile(
        _ mobile: String, andWithVerifyCode verifyCode: String,
        andWithCompletionHandler completeHandler: @escaping BCLoginSMSCompleteHandler
    ) {
        BCIDACommonManager.sharedInstance().run(completeHandler) { flows in
            let outcome = await flows.sms.logIn(mobile: mobile, code: verifyCode)
            switch outcome {
            case .loggedIn(let session):
                let tokens: [String: WireValue] = ["session_token": .text(session.sessionToken), "id_token": .text(session.idToken)]
                return (outcome.legacyCode, .dictionary(tokens))
            case .other(let status, _): return (outcome.legacyCode, .text(status))
            case .failed: return outcome.refusal(flows)
            }
        }
    }
}
