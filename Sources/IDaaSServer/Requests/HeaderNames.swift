package import HTTPTypes
internal import IDaaSWire

/// The header fields of the wire protocol (section 3.1), and the additional ones of this server.
extension HTTPField.Name {
    package static let clientID = Self(WireHeader.clientID)!
    package static let operatingSystem = Self(WireHeader.operatingSystem)!
    package static let deviceFingerprint = Self(WireHeader.deviceFingerprint)!
    package static let agent = Self(WireHeader.agent)!
    /// The address that the client reports for itself: accepted, and never trusted.
    package static let deviceAddress = Self(WireHeader.deviceAddress)!
    /// From vendors that run several tenants under one name: accepted, but this server has one tenant.
    package static let tenantID = Self(WireHeader.tenantID)!
    package static let replyLanguage = Self(WireHeader.language)!
    package static let sessionToken = Self(WireHeader.sessionToken)!
    package static let stateToken = Self(WireHeader.stateToken)!
    package static let signature = Self(WireHeader.signature)!
    package static let requestID = Self(WireHeader.requestID)!
    package static let development = Self("X-Assay-Dev")!
    package static let forwardedFor = Self("X-Forwarded-For")!
    package static let prefer = Self("Prefer")!
    package static let preferenceApplied = Self("Preference-Applied")!
}
