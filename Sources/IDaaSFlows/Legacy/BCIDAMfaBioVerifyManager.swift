internal import IDaaSWire

/// Answering a login at a PC under the names of the vendor's SDK. The id_token has to be valid and the device bound.
public final class BCIDAMfaBioVerifyManager: Sendable {
    private static let shared = BCIDAMfaBioVerifyManager()

    public static func sharedInstance() -> BCIDAMfaBioVerifyManager { shared }

    /// Calls back with `0` and the random string of a login that waits, or `2` (none waits); otherwise with the server's code or `1`, and a
    /// text.
    public func checkIfMFAAvailableWithidToken(
        _ idToken: String, andWithCallBack callBack: @escaping BCMFABioVerifyCheckCompleteHandler
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let outcome = await flows.biometrics.pending(idToken: idToken)
            switch outcome {
            case .pending(let request): return (outcome.legacyCode, .text(request.random))
            case .none: return (outcome.legacyCode, flows.text(.nothingPending))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// Verifies the user and approves. Calls back with `0`; `2` (failed, or the user was not verified); `101` (key); otherwise with the server's
    /// code or `1`, and a text.
    ///
    /// - Parameters:
    ///   - userID: the one of the binding.
    ///   - idToken: of the user who was asked.
    ///   - randomStr: of ``checkIfMFAAvailableWithidToken(_:andWithCallBack:)``.
    ///   - callBack: receives the code and the text, once.
    public func verifyMFAResponseWithUserID(
        _ userID: String, andWithIdToken idToken: String, andRandomStr randomStr: String,
        andWithCallBack callBack: @escaping BCMFABioVerifyCompleteHandler
    ) {
        let manager = BCIDACommonManager.sharedInstance()
        manager.run(callBack) { flows in
            guard !idToken.isEmpty else { return ("1", flows.text(.loginExpired)) }
            let outcome = await flows.biometrics.approve(
                random: randomStr, userID: userID, idToken: idToken, matchCode: manager.matchCode)
            switch outcome {
            case .answered: return (outcome.legacyCode, flows.text(.authenticationSucceeded))
            case .refused: return (outcome.legacyCode, flows.text(.authenticationFailed))
            case .failed: return outcome.refusal(flows)
            }
        }
    }
}
