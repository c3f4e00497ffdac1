package import IDaaSWire

/// A request that a user's phone approves or denies, so that a login on another device goes on.
package struct Approval: Hashable, Sendable {
    /// SHA-256 of `auth_req_id`.
    package var id: [UInt8]
    package var user: String
    /// The client of the phone's app.
    package var authenticator: String
    /// The client that the user logs in to.
    package var client: String
    /// SHA-256 of the fingerprint of the device that logs in.
    package var device: [UInt8]
    /// The network that the login comes from.
    package var region: String
    /// The record of the state token that the login continues with.
    package var state: [UInt8]
    /// What the phone signs.
    package var random: String
    /// The key that has to sign.
    package var keyID: [UInt8]
    /// The number that the phone's user has to type; nil if the client compares none.
    package var matchCode: String?
    /// The text of the application for both devices.
    package var message: String?
    package var created: Timestamp
    /// The first instant at which no answer is accepted.
    package var expires: Timestamp
    /// Between two polls.
    package var interval: Duration
    package var polled: Timestamp?
    package var answered: Timestamp?
    package var answer: Answer?
    package var verification: UserVerification?
    package var delivered: Timestamp?

    package enum Answer: String, Hashable, Sendable {
        case approved
        case denied
        /// A newer request replaced it, or the key was unbound.
        case cancelled
    }
}
