/// The slider and the SMS in one call, under the names of the vendor's SDK.
public enum BCSMSLoginSlideVerifyCodeManager {
    /// 0: the SMS was sent. 105: the page was closed. Otherwise the server's code or 1, with a text.
    ///
    /// - Parameter mobile: `+86-13800000000` or `13800000000`.
    public static func startSlidingVerifyCodePageWithMobileNumber(
        _ mobile: String, andWithResultHandler resultHandler: @escaping BCSMSLoginSlideCodeHandlerBlock
    ) {
        let manager = BCIDACommonManager.sharedInstance()
        manager.run(resultHandler) { flows throws(FlowError) in
            let outcome = await flows.sms.requestCode(mobile: mobile, slider: try manager.slider())
            switch outcome {
            case .sent: return (outcome.legacyCode, .text("success"))
            case .sliderClosed: return (outcome.legacyCode, .text("user canceled"))
            case .failed: return outcome.refusal(flows)
            }
        }
    }
}
