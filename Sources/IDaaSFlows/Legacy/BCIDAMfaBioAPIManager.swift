internal import IDaaSWire

/// The biometric calls as single steps under the names of the vendor's SDK. Each calls back with one dictionary of `code`, `data` and
/// `message`: `0` for success, otherwise an error code with its text in `message`.
public final class BCIDAMfaBioAPIManager: Sendable {
    private static let shared = BCIDAMfaBioAPIManager()

    public static func sharedInstance() -> BCIDAMfaBioAPIManager { shared }

    /// `data` is true if the device is bound now.
    ///
    /// - Parameters:
    ///   - idToken: the id_token of the session.
    ///   - callBack: gets the result once.
    ///   - publicKey: of ``BCIDAFingerPrintVerifyManager/getPublicKeywithUserid(_:CallBack:)``.
    public func bindDeviceWithidToken(
        _ idToken: String, andPublicKey publicKey: String, andWithCallBack callBack: @escaping BCMFABioAPIBindCompleteHandler
    ) {
        run(callBack) { flows in
            let outcome = await flows.biometrics.bind(publicKey: publicKey, idToken: idToken)
            switch outcome {
            case .bound: return ("0", Self.reply(.bool(true)))
            case .refused: return ("0", Self.reply(.bool(false)))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// `data` is true if the device is not bound any more.
    public func unbindDeviceAPIWithIDToken(_ idToken: String, andWithCallBack callBack: @escaping BCMFABioAPIUnBindCompleteHandler) {
        run(callBack) { flows in
            let outcome = await flows.biometrics.unbind(idToken: idToken)
            switch outcome {
            case .unbound: return ("0", Self.reply(.bool(true)))
            case .refused: return ("0", Self.reply(.bool(false)))
            case .unknownUser, .failed: return outcome.refusal(flows)
            }
        }
    }

    /// `data` has `random`, `clientId` and `clientName` of the login that waits, and is null if none waits.
    public func checkIFMfaBioRequestAvailableWithIdToken(
        _ idToken: String, andWithCallBack callBack: @escaping BCMFABioAPIRequestAvailableCompleteHandler
    ) {
        run(callBack) { flows in
            let outcome = await flows.biometrics.pending(idToken: idToken)
            switch outcome {
            case .pending(let request):
                LegacyRequests.shared.note(request)
                let data: [String: WireValue] = [
                    WireMember.random: .text(request.random), WireMember.clientID: .text(request.clientID),
                    WireMember.clientName: .text(request.clientName),
                ]
                return ("0", Self.reply(.object(data)))
            case .none: return ("0", Self.reply(.null))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// `data` is true if the login was approved.
    ///
    /// - Parameters:
    ///   - idToken: the id_token of the session.
    ///   - callBack: gets the result once.
    ///   - signedStr: of ``BCIDAFingerPrintVerifyManager/signDataByPrivateKeywithUserid(_:WithStr:andWithCallBack:)``.
    public func responseToMfaBioWithIdToken(
        _ idToken: String, andWithSignedStr signedStr: String, andWithCallBack callBack: @escaping BCMFABioAPIResponseToMfaCompleteHandler
    ) {
        run(callBack) { flows in
            guard !idToken.isEmpty else { return ("1", flows.text(.loginExpired)) }
            let outcome =
                if let signed = LegacyRequests.shared.signed(signature: signedStr) {
                    await flows.biometrics.respond(signed, idToken: idToken)
                } else {
                    await flows.biometrics.respond(signature: signedStr, idToken: idToken)
                }
            switch outcome {
            case .answered: return ("0", Self.reply(.bool(true)))
            case .refused: return ("0", Self.reply(.bool(false)))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// Runs a call whose failures become dictionaries too.
    private func run(
        _ callBack: @escaping LegacyReplyHandler, _ call: @escaping @Sendable (Flows) async throws(FlowError) -> (String, LegacyData)
    ) {
        let handler: LegacyHandler = { code, data in
            if case .text(let message) = data { return callBack(Self.reply(.null, code: code, message: .text(message))) }
            callBack(data)
        }
        BCIDACommonManager.sharedInstance().run(handler, call)
    }

    private static func reply(_ data: WireValue, code: String = "0", message: WireValue = .null) -> LegacyData {
        .dictionary([WireMember.envelopeCode: .text(code), WireMember.data: data, WireMember.message: message])
    }
}
