/// The protocol's header fields, by their documented spellings.
package enum WireHeader {
    package static let clientID = "X-client-id"
    package static let operatingSystem = "X-operating-sys-version"
    package static let deviceFingerprint = "X-device-fingerprint"
    package static let agent = "X-agent"
    /// The address that the client reports for itself.
    package static let deviceAddress = "X-device-ip"
    /// For vendors that run several tenants under one name.
    package static let tenantID = "X-tenant-id"
    package static let language = "X-L"
    package static let requestID = "X-Request-Id"
    package static let sessionToken = "session-token"
    package static let signature = "X-signature"
    /// Carries a login from one step to the next.
    package static let stateToken = "X-state-token"
}
