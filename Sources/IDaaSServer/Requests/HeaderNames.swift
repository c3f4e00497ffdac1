#if IDaaS
package import HTTPTypes

/// The header fields of the wire protocol (section 3.1), by their documented spellings.
extension HTTPField.Name {
    package static let clientID = Self("X-client-id")!
    package static let operatingSystem = Self("X-operating-sys-version")!
    package static let deviceFingerprint = Self("X-device-fingerprint")!
    package static let agent = Self("X-agent")!
    /// What the client takes for its address: accepted, and never believed.
    package static let deviceAddress = Self("X-device-ip")!
    /// Of vendors that run several tenants under one name: accepted; this server is one tenant.
    package static let tenantID = Self("X-tenant-id")!
    package static let replyLanguage = Self("X-L")!
    package static let sessionToken = Self("session-token")!
    package static let signature = Self("X-signature")!
    package static let requestID = Self("X-Request-Id")!
    package static let development = Self("X-Assay-Dev")!
    package static let forwardedFor = Self("X-Forwarded-For")!
    package static let forwardedProto = Self("X-Forwarded-Proto")!
    package static let prefer = Self("Prefer")!
    package static let preferenceApplied = Self("Preference-Applied")!
}
#endif
