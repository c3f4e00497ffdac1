#if IDaaS
/// A person who logs in.
public struct User: Hashable, Sendable {
    /// The `sub` of the id_tokens; never used again for another.
    public var id: String
    /// `+CC-NSN`; one user a number.
    public var mobile: String
    public var name: String?
    public var userName: String?
    public var email: String?
    /// A fixed SMS code for a number that nobody has. Only a server in development honours it.
    public var testCode: String?
    /// Locked by an administrator, until unlocked by one. What locks a number after failures is in ``LoginFailures``.
    public var isLocked: Bool
    public var created: Timestamp
    public var lastLogin: Timestamp?

    public init(
        id: String, mobile: String, name: String? = nil, userName: String? = nil, email: String? = nil, testCode: String? = nil,
        isLocked: Bool = false, created: Timestamp, lastLogin: Timestamp? = nil
    ) {
        self.id = id
        self.mobile = mobile
        self.name = name
        self.userName = userName
        self.email = email
        self.testCode = testCode
        self.isLocked = isLocked
        self.created = created
        self.lastLogin = lastLogin
    }
}
#endif
