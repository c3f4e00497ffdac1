#if IDaaS
extension LimitSettings {
    /// What a new challenge is subject to.
    func captchaBudget(of caller: Caller) -> Budget {
        var budget = Budget()
        budget.add(.captchaOfDevice, caller.deviceKey, captchaPerDevice)
        budget.add(.captchaOfAddress, caller.addressKey, captchaPerAddress)
        budget.heed(.captchaLock, caller.deviceKey, captchaLock)
        return budget
    }

    /// What a solution is subject to. A device is the client's word, and changed at will: so addresses and numbers count too.
    func wrongCaptchaBudget(of caller: Caller, _ sender: MobileNumber) -> Budget {
        var budget = Budget()
        budget.heed(.captchaLock, caller.deviceKey, captchaLock)
        budget.heed(.wrongCaptchaOfAddress, caller.addressKey, wrongCaptchaPerAddress)
        budget.heed(.wrongCaptchaOfSender, sender.text, wrongCaptchaPerSender)
        return budget
    }

    /// Counts a wrong solution; one too many locks the device.
    func countWrongCaptcha(of caller: Caller, _ sender: MobileNumber, at now: Timestamp, in store: any StoreWriting) throws {
        try store.record(.wrongCaptchaOfAddress, caller.addressKey, at: now)
        try store.record(.wrongCaptchaOfSender, sender.text, at: now)
        var device = Budget()
        device.add(.wrongCaptchaOfDevice, caller.deviceKey, wrongCaptchaPerDevice)
        if try device.refusal(at: now, in: store) != nil { try store.record(.captchaLock, caller.deviceKey, at: now) }
        try device.record(at: now, in: store)
    }

    private var captchaLock: [Limit] { [Limit(1, per: captchaLockSeconds)] }
}
#endif
