/// One of a user's sessions, as the server lists them.
public struct SessionSummary: Hashable, Sendable {
    public let id: String
    /// The name that the device reported.
    public let deviceName: String?
    /// When the user logged in, in seconds since 1970.
    public let authenticatedAt: Int64?
    /// When the session was last used, in seconds since 1970.
    public let usedAt: Int64?
    /// When the session ends unless it is used, in seconds since 1970.
    public let expiresAt: Int64?
    /// Whether this session requested the list.
    public let isCurrent: Bool
    /// The instants in milliseconds, as in the protocol.
    package let authenticated, used, expires: ServerDate?

    package init(id: String, deviceName: String?, authenticated: ServerDate?, used: ServerDate?, expires: ServerDate?, isCurrent: Bool) {
        self.id = id
        self.deviceName = deviceName
        // Stored: the optimizer of Swift 6.3.1 fails on an inlined getter that reads an optional through another module.
        authenticatedAt = authenticated?.seconds
        usedAt = used?.seconds
        expiresAt = expires?.seconds
        self.authenticated = authenticated
        self.used = used
        self.expires = expires
        self.isCurrent = isCurrent
    }
}
