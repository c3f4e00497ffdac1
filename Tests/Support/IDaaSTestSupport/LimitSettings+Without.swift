package import IDaaSServer

extension LimitSettings {
    /// Only the limits of codes, of numbers and of the captcha's lock, and those that `change` restores.
    package static func without(_ change: (inout LimitSettings) -> Void = { _ in }) -> LimitSettings {
        var limits = LimitSettings()
        for list in all { limits[keyPath: list] = [] }
        change(&limits)
        return limits
    }

    private static var all: [WritableKeyPath<LimitSettings, [Limit]>] {
        [
            \.captchaPerDevice, \.captchaPerAddress, \.wrongCaptchaPerAddress, \.wrongCaptchaPerSender, \.smsPerNumber, \.smsPerDevice,
            \.smsPerAddress, \.smsPerClient, \.smsPerForeignCountry, \.loginsPerDevice, \.loginsPerAddress, \.wrongPasswordsPerName,
            \.approvalsPerUser, \.challengesPerDevice, \.registrationsPerAddress, \.clientDocumentsPerAddress,
        ]
    }
}
