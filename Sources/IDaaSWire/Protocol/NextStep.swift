/// The members and values of ``WireMember/data`` in a login that another step has to follow.
package enum NextStep {
    /// `{"socialBindOrRegisterFlow":["VERIFY_PHONE"]}`
    package static let verifications = "socialBindOrRegisterFlow"
    package static let phone = "VERIFY_PHONE"
    package static let email = "VERIFY_EMAIL"
    /// `{"mfa":["BIO","SMS"],"mobile":"+86-138****0000"}`: the second factors of the user, ``SecondFactor``, and the masked number.
    package static let secondFactors = "mfa"
    package static let mobile = "mobile"
}

/// A second factor that a user has.
public enum SecondFactor: String, Hashable, Sendable, CaseIterable, Codable {
    /// A phone with a bound key.
    case biometric = "BIO"
    case sms = "SMS"
}
