#if IDaaS
/// What an SMS code is for. A code of one type is none of another.
package enum SMSType: String, Hashable, Sendable, CaseIterable {
    case login = "LOGIN_SMS"
    case register = "REGISTER_SMS"
    case bindMobile = "BIND_MOBILE_SMS"
    case secondFactor = "MFA_AUTH_SMS"
    case forgottenPassword = "FORGET_PWD_SMS"
    case updatePassword = "UPDATE_PWD_SMS"
    case changePassword = "CHANGE_PWD_SMS"
    case updateMobile = "UPDATE_MOBILE_SMS"

    /// Those that an endpoint takes codes of.
    static let served: Set<SMSType> = [.login]
}
#endif
