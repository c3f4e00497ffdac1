/// Binding and unbinding under the names of the vendor's SDK. A device has to be bound before it can answer a login.
public final class BCIDAMfaBioDeviceBindManager: Sendable {
    private static let shared = BCIDAMfaBioDeviceBindManager()

    public static func sharedInstance() -> BCIDAMfaBioDeviceBindManager { shared }

    /// Calls back with `101` (bound) or `102` (not bound); otherwise with the server's code or `1`, and a text.
    public func checkDeviceStatusWithIDToken(
        _ idToken: String, andWithCallBack callBack: @escaping BCMFABioDeviceStatusCompleteHandler
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let outcome = await flows.biometrics.deviceStatus(idToken: idToken)
            switch outcome {
            case .bound: return (outcome.legacyCode, flows.text(.alreadyBound))
            case .notBound: return (outcome.legacyCode, flows.text(.notBound))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// Calls back with `0`; `2`, `5`, `6`, `7`, `8`, `102` or `110` (the phone); `101` (key); `104` (refused); otherwise with the server's code
    /// or `1`, and a text.
    ///
    /// - Parameters:
    ///   - idToken: of a login in the last ten minutes.
    ///   - userID: identifies the user within this app. Each has an own key.
    ///   - callBack: receives the code and the text, once.
    public func bindDeviceWithIDToken(
        _ idToken: String, andWithUserID userID: String, andWithCallBack callBack: @escaping BCMFABioDeviceBindCompleteHandler
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let outcome = await flows.biometrics.bind(userID: userID, idToken: idToken)
            switch outcome {
            case .bound: return (outcome.legacyCode, flows.text(.bindingSucceeded))
            case .refused: return (outcome.legacyCode, flows.text(.bindingFailed))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// Calls back with `0`; `2`, `5`, `6`, `7`, `8`, `102` or `110` (the phone); `105` (refused); otherwise with the server's code or `1`, and a
    /// text. It finds the key of the id_token's user by the last binding.
    public func unbindDeviceWithIDToken(_ idToken: String, andWithCallBack callBack: @escaping BCMFABioDeviceUnbindCompleteHandler) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let outcome = await flows.biometrics.unbind(idToken: idToken)
            switch outcome {
            case .unbound: return (outcome.legacyCode, flows.text(.unbindingSucceeded))
            case .refused: return (outcome.legacyCode, flows.text(.unbindingFailed))
            case .unknownUser, .failed: return outcome.refusal(flows)
            }
        }
    }
}
