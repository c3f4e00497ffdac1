/// What an SMS code is for; one for a login is good for nothing else.
public struct SMSPurpose: Codable, Hashable, Sendable {
    /// As the protocol has it.
    public let name: String

    /// For a purpose that a tenant has besides.
    public init(_ name: String) { self.name = name }

    public static let login = Self("LOGIN_SMS")
    public static let register = Self("REGISTER_SMS")
    public static let bindMobile = Self("BIND_MOBILE_SMS")
    public static let forgottenPassword = Self("FORGET_PWD_SMS")
    public static let newPassword = Self("UPDATE_PWD_SMS")
    public static let newMobile = Self("UPDATE_MOBILE_SMS")
    public static let secondFactor = Self("MFA_AUTH_SMS")
}
