#if IDaaS
internal import Secrets

/// A try at a code, judged within the transaction of what it shall allow.
///
/// Only a try at the living code of its own device counts against the code and the number: otherwise anybody could lock anybody's
/// number. Any other counts against the device and the address alone. A try at a code that was used, as the second of a double tap,
/// counts nowhere.
struct CodeAttempt: Sendable {
    let owner: CodeOwner
    /// The keyed hash of the code that was typed.
    let hash: [UInt8]
    let caller: Caller
    let limits: LimitSettings

    /// Uses the code up if it is the right one: then nil, and only once however many ask. Else the refusal.
    func refusal(at now: Timestamp, in store: any StoreWriting) throws -> ServiceError? {
        let failures = try store.failures(of: owner.mobile.text)
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
        if failures != nil { try store.removeFailures(of: owner.mobile.text) }
        return nil
    }

    private var purpose: SingleUse.Purpose { .code(owner.type) }

    /// One wrong try more, of the code and of the number.
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
        var failures = failures ?? LoginFailures(mobile: owner.mobile.text, updated: now)
        failures.add(at: now, limits)
        try store.save(failures)
        return failures.refusal(at: now) ?? ServiceError(.smsCodeIncorrect, remaining: remaining)
    }
}

extension LimitSettings {
    /// What a login is subject to.
    func loginBudget(of caller: Caller) -> Budget {
        var budget = Budget()
        budget.add(.loginOfDevice, caller.deviceKey, loginsPerDevice)
        budget.add(.loginOfAddress, caller.addressKey, loginsPerAddress)
        return budget
    }
}
#endif
