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
    ///
    /// - Parameter pause: seconds. Windows of a number that are no longer than that are the pause between two messages.
    func sendBudget(to number: MobileNumber, of caller: Caller, preferred: String, pause: Int) -> Budget {
        var budget = Budget()
        budget.add(.sendPause, number.text, smsPerNumber.filter { $0.seconds <= pause })
        budget.add(.sendToNumber, number.text, smsPerNumber.filter { $0.seconds > pause })
        budget.add(.sendOfDevice, caller.deviceKey, smsPerDevice)
        budget.add(.sendOfAddress, caller.addressKey, smsPerAddress)
        budget.add(.sendOfClient, caller.client.id, smsPerClient)
        if number.countryCode != preferred { budget.add(.sendToCountry, number.countryCode, smsPerForeignCountry) }
        return budget
    }
}
#endif
