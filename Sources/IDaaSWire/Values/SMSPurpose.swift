/// The purpose of an SMS code. A code for one purpose works for no other.
public struct SMSPurpose: RawRepresentable, Codable, Hashable, Sendable {
    /// In the protocol's spelling: `LOGIN_SMS`.
    public let rawValue: String

    /// A purpose of the protocol, or a tenant's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let login = Self(rawValue: "LOGIN_SMS")
    public static let register = Self(rawValue: "REGISTER_SMS")
    public static let bindMobile = Self(rawValue: "BIND_MOBILE_SMS")
    public static let secondFactor = Self(rawValue: "MFA_AUTH_SMS")
    public static let forgottenPassword = Self(rawValue: "FORGET_PWD_SMS")
    public static let updatePassword = Self(rawValue: "UPDATE_PWD_SMS")
    public static let changePassword = Self(rawValue: "CHANGE_PWD_SMS")
    public static let updateMobile = Self(rawValue: "UPDATE_MOBILE_SMS")

    /// Every purpose of the protocol.
    package static let documented: [Self] = [
        .login, .register, .bindMobile, .secondFactor, .forgottenPassword, .updatePassword, .changePassword, .updateMobile,
    ]
}
