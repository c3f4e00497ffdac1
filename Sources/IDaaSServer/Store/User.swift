/// A person who logs in.
package struct User: Hashable, Sendable {
    /// The `sub` of the id_tokens; never reused for another user.
    package var id: String
    /// `+CC-NSN`; one user per number.
    package var mobile: String
    package var name: String?
    package var userName: String?
    package var email: String?
    /// A fixed SMS code for a number without an owner. Only a server in development accepts it.
    package var testCode: String?
    /// The scrypt hash of the password, as ``PasswordHash`` writes it; nil for a user who logs in otherwise.
    package var passwordHash: String?
    /// Locked by an administrator, until an administrator unlocks it. ``LoginFailures`` has the locks after wrong codes.
    package var isLocked: Bool
    package var created: Timestamp
    package var lastLogin: Timestamp?

    package init(
        id: String, mobile: String, name: String? = nil, userName: String? = nil, email: String? = nil, testCode: String? = nil,
        passwordHash: String? = nil, isLocked: Bool = false, created: Timestamp, lastLogin: Timestamp? = nil
    ) {
        self.id = id
        self.mobile = mobile
        self.name = name
        self.userName = userName
        self.email = email
        self.testCode = testCode
        self.passwordHash = passwordHash
        self.isLocked = isLocked
        self.created = created
        self.lastLogin = lastLogin
    }
}
