/// The slider and the SMS in one call, under the names of the vendor's SDK.
public enum BCSMSLoginSlideVerifyCodeManager {
    /// Calls back with `0` (SMS sent) or `105` (page closed); otherwise with the server's code or `1`, and a text.
    ///
    /// - Parameters:
    ///   - mobile: `+86-13800000000` or `13800000000`.
    ///   - resultHandler: receives the code and the text, once.
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
