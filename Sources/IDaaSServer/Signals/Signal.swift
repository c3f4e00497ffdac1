/// What receivers of shared signals are told (OpenID CAEP 1.0, OpenID SSF 1.0).
package struct Signal: Hashable, Sendable {
    package var event: Event
    package var at: Timestamp

    package enum Event: Hashable, Sendable {
        /// CAEP 1.0 section 3.1: a session ended, or with no `session` every session of the user.
        case sessionRevoked(user: String, session: String?, by: Initiator)
        /// CAEP 1.0 section 3.3.
        case credentialChange(user: String, Credential, Change, by: Initiator)
        /// SSF 1.0 section 8.1.4: whether the stream works. Only the stream that was asked about has it.
        case verification(state: String)
    }

    /// `initiating_entity` (CAEP 1.0 section 2).
    package enum Initiator: String, Hashable, Sendable {
        case admin, user, policy, system
    }

    /// `credential_type` (CAEP 1.0 section 3.3.1).
    package enum Credential: String, Hashable, Sendable {
        case password
        /// The key of a phone's app.
        case app
    }

    /// `change_type` (CAEP 1.0 section 3.3.1).
    package enum Change: String, Hashable, Sendable {
        case create, update, delete
    }

    package init(_ event: Event, at: Timestamp) {
        self.event = event
        self.at = at
    }
}
