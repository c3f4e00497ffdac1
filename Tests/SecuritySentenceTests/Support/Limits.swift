#if IDaaS
import IDaaSServer

extension LimitSettings {
    /// None but those of codes, of numbers and of the captcha's lock; and what `change` puts back.
    static func without(_ change: (inout LimitSettings) -> Void = { _ in }) -> LimitSettings {
        var limits = LimitSettings()
        limits.captchaPerDevice = []
        limits.captchaPerAddress = []
        limits.wrongCaptchaPerAddress = []
        limits.wrongCaptchaPerSender = []
        limits.smsPerNumber = []
        limits.smsPerDevice = []
        limits.smsPerAddress = []
        limits.smsPerClient = []
        limits.smsPerForeignCountry = []
        limits.loginsPerDevice = []
        limits.loginsPerAddress = []
        change(&limits)
        return limits
    }
}
#endif
