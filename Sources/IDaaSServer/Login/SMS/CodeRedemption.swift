internal import IDaaSWire
internal import Secrets

/// Redeems an SMS code, in the same transaction as the action that it authorises.
///
/// Only an attempt by its own device at a valid code counts: against the code, and against this device for this number. No device counts
/// against another, so an attacker cannot lock out the owner of a number. With many devices an attacker has as many attempts as a number's
/// messages (``LimitSettings/smsPerNumber``) times the attempts per code. Any other attempt counts only towards the budget of the device and
/// the address. An attempt at a used code, as the second of a double tap, does not count.
struct CodeRedemption: Sendable {
    let owner: CodeOwner
    /// The keyed hash of the typed code.
    let hash: [UInt8]
    let caller: Caller
    let limits: LimitSettings

    /// Consumes the code if it is right, and then returns nil, for exactly one of all concurrent attempts. Otherwise returns the refusal.
    func redeem(at now: Timestamp, in store: any StoreWriting) throws -> ServiceError? {
        let failures = try store.failures(of: owner.mobile.text, on: owner.device)
        if let locked = failures?.refusal(at: now) { return locked }
        let wrong = ServiceError(.smsCodeIncorrect)
        let code = try store.singleUse(purpose, owner.key)
        let isRight = equalInConstantTime(code?.content ?? [], hash)
        if isRight, code?.consumed != nil { return wrong }
        let budget = limits.loginBudget(of: caller)
        if let refusal = try budget.refusal(at: now, in: store) { return refusal }
        try budget.record(at: now, in: store)
        guard let code, code.isLive(at: now) else { return wrong }
        guard isRight else { return try count(code, failures, at: now, in: store) }
        guard try store.consume(purpose, owner.key, at: now, outcome: nil) else { return wrong }
        if failures != nil { try store.removeFailures(of: owner.mobile.text, on: owner.device) }
        return nil
    }

    private var purpose: SingleUse.Purpose { .code(owner.type) }

    /// Counts a wrong attempt against the code, and against the device for this number.
    private func count(
        _ code: SingleUse, _ failures: LoginFailures?, at now: Timestamp, in store: any StoreWriting
    ) throws -> ServiceError {
        var code = code
        code.failures += 1
        let remaining = max(0, limits.triesPerCode - code.failures)
        if remaining == 0 {
            code.expires = now
            code.content = []
        }
        try store.save(code)
        var failures = failures ?? LoginFailures(mobile: owner.mobile.text, device: owner.device, updated: now)
        failures.add(at: now, limits)
        try store.save(failures)
        return failures.refusal(at: now) ?? ServiceError(.smsCodeIncorrect, remaining: remaining)
    }
}

extension LimitSettings {
    /// The limits of a login.
    func loginBudget(of caller: Caller) -> Budget {
        var budget = Budget()
        budget.add(.loginOfDevice, caller.deviceKey, loginsPerDevice)
        budget.add(.loginOfAddress, caller.addressKey, loginsPerAddress)
        return budget
    }
}
