internal import IDaaSWire

/// The properties that make two requests for a code equal.
struct SendRequest: Hashable, Sendable {
    let owner: CodeOwner
    /// SHA-256 of the captcha token.
    let token: [UInt8]
    /// The login that the code continues.
    var step: StateTokens.Presented?
}

/// How a consumed captcha token records the request that consumed it.
enum SendOutcome {
    static func sent(_ type: SMSPurpose) -> String { "sent \(type.rawValue)" }
    static func failed(_ type: SMSPurpose) -> String { "failed \(type.rawValue)" }
}

extension SMSPurpose {
    /// The supported purposes of codes, and the step that each continues; nil where none is needed.
    static let served: [SMSPurpose: StateTokens.Purpose?] = [
        .login: .none, .register: .some(.registerWeChat), .bindMobile: .some(.bindWeChat), .secondFactor: .some(.secondFactor),
    ]
}

extension LimitSettings {
    /// The limits of an SMS.
    ///
    /// - Parameter pause: a number's windows up to this length are the pause between two messages.
    func sendBudget(to number: MobileNumber, of caller: Caller, preferred: String?, pause: Duration) -> Budget {
        var budget = Budget()
        budget.add(.sendPause, number.text, smsPerNumber.filter { $0.window <= pause })
        budget.add(.sendToNumber, number.text, smsPerNumber.filter { $0.window > pause })
        budget.add(.sendOfDevice, caller.deviceKey, smsPerDevice)
        budget.add(.sendOfAddress, caller.addressKey, smsPerAddress)
        budget.add(.sendOfClient, caller.client.id, smsPerClient)
        if number.country != preferred { budget.add(.sendToCountry, number.country, smsPerForeignCountry) }
        return budget
    }
}
