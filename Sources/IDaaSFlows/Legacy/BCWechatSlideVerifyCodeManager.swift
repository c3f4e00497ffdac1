internal import IDaaSWire

/// What an SMS of the WeChat login is for, in the documents' spelling.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public enum wechatSlideSMSSendType: Hashable, Sendable {
    /// The login's status was `USER_REGISTER`.
    case wechatSlideSMSRegist
    /// The login's status was `SOCIAL_BIND`.
    case wechatSlideSMSBind
}

/// The slider, and the SMS of the WeChat login, under the names of the vendor's SDK.
public enum BCWechatSlideVerifyCodeManager {
    /// The slider alone. Calls back with `0` and the slide token, or `105` (page closed); otherwise with the server's code or `1`, and a text.
    ///
    /// - Parameters:
    ///   - mobile: `+86-13800000000` or `13800000000`.
    ///   - resultHandler: receives the code and the token or text, once.
    public static func startSlidingVerifyCodePageWithMobileNumber(
        _ mobile: String, andWithResultHandler resultHandler: @escaping BCWechatSlideCodeHandlerBlock
    ) {
        let manager = BCIDACommonManager.sharedInstance()
        manager.run(resultHandler) { flows throws(FlowError) in
            let outcome = await flows.weChat.solveSlider(mobile: mobile, presenter: try manager.slider())
            switch outcome {
            case .solved(let pass): return (outcome.legacyCode, .text(pass.captchaToken))
            case .closed: return (outcome.legacyCode, .text("User closed"))
            case .failed: return outcome.refusal(flows)
            }
        }
    }

    /// Calls back with `0` (SMS sent); otherwise with the server's code or `1`, and a text.
    ///
    /// - Parameters:
    ///   - token: the slide token.
    ///   - mobile: the number that the slider was solved for.
    ///   - type: by the status of ``BCWechatApiLoginManager/loginWechatByCode(_:andWithCallBack:)``.
    ///   - callBack: receives the code and the text, once.
    public static func sendSMSWithSlideResultWithToken(
        _ token: String, andMobile mobile: String, andWithType type: wechatSlideSMSSendType,
        andWithCallBack callBack: @escaping BCWechatSendSMSHandlerBlock
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows throws(FlowError) in
            let captchaToken = try WireText.checked(token, WireMember.captchaToken, upTo: 1_024)
            let kind: BindingStep.Kind = type == .wechatSlideSMSRegist ? .register : .bind
            guard let stateToken = BCWechatApiLoginManager.sharedInstance().stateToken(kind) else {
                throw FlowError(.missingInput(WireMember.stateToken))
            }
            let outcome = await flows.weChat.sendSMS(
                SliderPass(mobile: mobile, captchaToken: captchaToken), for: BindingStep(kind, stateToken: stateToken))
            guard case .sent = outcome else { return outcome.refusal(flows) }
            return (outcome.legacyCode, .text("success"))
        }
    }
}
