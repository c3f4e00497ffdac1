internal import IDaaSWire

extension LimitSettings {
    /// The limits of a new challenge.
    func captchaBudget(of caller: Caller) -> Budget {
        var budget = Budget()
        budget.add(.captchaOfDevice, caller.deviceKey, captchaPerDevice)
        budget.add(.captchaOfAddress, caller.addressKey, captchaPerAddress)
        budget.heed(.captchaLock, caller.deviceKey, lockOfDevice)
        return budget
    }

    /// The limits of a solution, right or wrong. A client chooses its device name freely, so addresses count too.
    func solutionBudget(of caller: Caller) -> Budget {
        var budget = Budget()
        budget.heed(.captchaLock, caller.deviceKey, lockOfDevice)
        budget.heed(.wrongCaptchaOfAddress, caller.addressKey, wrongCaptchaPerAddress)
        return budget
    }

    /// Counts a wrong solution; one too many locks the device.
    ///
    /// - Returns: the refusal if the number has reached its limit of wrong solutions. A right solution is never refused for this reason:
    ///   anybody can name any number as the sender, and could block its owner.
    func countWrongCaptcha(
        of caller: Caller, _ sender: MobileNumber, at now: Timestamp, in store: any StoreWriting
    ) throws -> ServiceError? {
        try store.record(.wrongCaptchaOfAddress, caller.addressKey, at: now)
        var number = Budget()
        number.add(.wrongCaptchaOfSender, sender.text, wrongCaptchaPerSender)
        let refusal = try number.refusal(at: now, in: store)
        if refusal == nil { try number.record(at: now, in: store) }
        var device = Budget()
        device.add(.wrongCaptchaOfDevice, caller.deviceKey, wrongCaptchaPerDevice)
        if try device.refusal(at: now, in: store) != nil { try store.record(.captchaLock, caller.deviceKey, at: now) }
        try device.record(at: now, in: store)
        return refusal
    }

    private var lockOfDevice: [Limit] { [Limit(1, per: captchaLock)] }
}
