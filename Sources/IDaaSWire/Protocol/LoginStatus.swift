/// The values of ``WireMember/status``. A server may send one with spaces around it.
package enum LoginStatus {
    package static let success = "SUCCESS"
    /// The WeChat account has no user: the person registers with a number.
    package static let userRegister = "USER_REGISTER"
    /// The WeChat account has no user: the person binds an existing user's number.
    package static let socialBind = "SOCIAL_BIND"
    /// The first factor is right, and a second one has to follow.
    package static let secondFactor = "MFA_AUTH"
}
