/// Binding and registration of a WeChat account under the names of the vendor's SDK.
public final class BCWechatBindOrRegistManager: Sendable {
    private static let shared = BCWechatBindOrRegistManager()

    public static func sharedInstance() -> BCWechatBindOrRegistManager { shared }

    /// Calls back with `0` and `session_token`, `id_token`, `expire`, `status`; otherwise with `1` or the server's code, and a text.
    public func wechatBindWithMobile(
        _ mobile: String, andWithVerifyCode verifyCode: String, andWithStateToken StateToken: String,
        andWithCompletionHandler completeHandler: @escaping BCWechatBindCompleteHandler
    ) {
        finish(BindingStep(.bind, stateToken: StateToken), mobile, verifyCode, completeHandler)
    }

    /// The same for a registration.
    public func wechatRegistWithMobile(
        _ mobile: String, andWithVerifyCode verifyCode: String, andWithStateToken StateToken: String,
        andWithCompletionHandler completeHandler: @escaping BCWechatRegistCompleteHandler
    ) {
        finish(BindingStep(.register, stateToken: StateToken), mobile, verifyCode, completeHandler)
    }

    private func finish(_ step: BindingStep, _ mobile: String, _ code: String, _ handler: @escaping LegacyHandler) {
        BCIDACommonManager.sharedInstance().run(handler) { flows in
            let outcome = await flows.weChat.finish(step, mobile: mobile, code: code)
            switch outcome {
            case .loggedIn(let session): return (outcome.legacyCode, .dictionary(session.legacyReply))
            case .other(let status, _): return (outcome.legacyCode, .text(status))
            case .failed: return outcome.refusal(flows)
            }
        }
    }
}
