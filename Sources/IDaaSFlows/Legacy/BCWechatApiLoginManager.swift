internal import IDaaSWire
internal import JWTCore
internal import Locks

/// Login with WeChat's code under the names of the vendor's SDK.
public final class BCWechatApiLoginManager: Sendable {
    private static let shared = BCWechatApiLoginManager()
    /// The step of the last login, for the SMS: the documents' call for it has no state token.
    private let last = Locked(BindingStep?.none)

    public static func sharedInstance() -> BCWechatApiLoginManager { shared }

    /// Calls back with `0` and `session_token`, `id_token`, `expire`, `status`; with `101` and `state_token`, `data`, `status` (bind or
    /// register); or with `1` and `error_code`, `error_msg`, or a text where no server answered.
    public func loginWechatByCode(_ code: String, andWithCallBack callBack: @escaping BCWechatAPILoginCallBackHandler) {
        BCIDACommonManager.sharedInstance().run(callBack) { [self] flows throws(FlowError) in
            let outcome = await flows.weChat.logIn(code: code)
            last.withLock { $0 = outcome.step }
            switch outcome {
            case .loggedIn(let session): return (outcome.legacyCode, .dictionary(session.legacyReply))
            case .register(let step), .bind(let step): return (outcome.legacyCode, .dictionary(step.legacyReply))
            case .other(let status, _): return (outcome.legacyCode, .text(status))
            case .failed(let error): return (outcome.legacyCode, error.legacyDocument(flows))
            }
        }
    }

    /// The state token of the last login, if it was of this kind.
    func stateToken(_ kind: BindingStep.Kind) -> String? { last.withLock { $0?.kind == kind ? $0?.stateToken : nil } }
}

extension BindingStep {
    /// As the documents have it: the list of verifications is JSON in a string.
    fileprivate var legacyReply: [String: WireValue] {
        let list: WireValue = .object([NextStep.verifications: .list(verifications.map { .text($0.rawValue) })])
        return [
            WireMember.stateToken: .text(stateToken), WireMember.status: .text(kind.rawValue),
            WireMember.data: .text(String(decoding: list.json, as: UTF8.self)),
        ]
    }
}

extension FlowError {
    /// The server's refusal as a dictionary, or a text.
    fileprivate func legacyDocument(_ flows: Flows) -> LegacyData {
        let text = text(in: flows.configuration.language)
        guard case .service(let refusal) = reason else { return .text(text) }
        return .dictionary([WireMember.errorCode: .text(refusal.wireCode), WireMember.errorText: .text(text)])
    }
}
