#if IDaaS
/// What makes two requests for a code the same.
struct SendRequest: Hashable, Sendable {
    let owner: CodeOwner
    /// SHA-256 of the captcha token.
    let token: [UInt8]
}

/// What a consumed captcha token says of the request that consumed it.
enum SendOutcome {
    static func sent(_ type: SMSType) -> String { "sent \(type.rawValue)" }
    static func failed(_ type: SMSType) -> String { "failed \(type.rawValue)" }
}

extension LimitSettings {
    /// What an SMS is subject to.
    func sendBudget(to number: MobileNumber, of caller: Caller, preferred: String) -> Budget {
        var budget = Budget()
        budget.add(.sendToNumber, number.text, smsPerNumber)
        budget.add(.sendOfDevice, caller.deviceKey, smsPerDevice)
        budget.add(.sendOfAddress, caller.addressKey, smsPerAddress)
        budget.add(.sendOfClient, caller.client.id, smsPerClient)
        if number.countryCode != preferred { budget.add(.sendToCountry, number.countryCode, smsPerForeignCountry) }
        return budget
    }
}
#endif
