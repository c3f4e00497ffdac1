/// What the key of a phone signs: ECDSA with P-256 and SHA-256, in DER.
///
/// Version 0 signs the challenge alone, as the SDK documents do. Version 1 signs this text, so that a signature works for one decision, of
/// one user, for one application:
///
///     IDAAS-BIO-1 LF challenge LF client LF user LF decision LF uv
package struct BiometricStatement: Hashable, Sendable {
    /// The challenge of a binding, or the random string of a request.
    package var challenge: String
    /// The application that the user logs in to, `clientId` of a request. For a binding, the client that binds.
    package var client: String
    /// `sub` of the id_token.
    package var user: String
    package var decision: Decision
    package var verification: UserVerification

    package init(challenge: String, client: String, user: String, decision: Decision, verification: UserVerification) {
        self.challenge = challenge
        self.client = client
        self.user = user
        self.decision = decision
        self.verification = verification
    }

    /// The bytes to sign.
    package func bytes(_ version: SignatureVersion) -> [UInt8] {
        switch version {
        case .challengeOnly: Array(challenge.utf8)
        case .statement:
            Array(["IDAAS-BIO-1", challenge, client, user, decision.rawValue, verification.rawValue].joined(separator: "\n").utf8)
        }
    }

    /// What the user decides. `bind` and `unbind` are also the values of ``WireMember/action``.
    package enum Decision: String, Hashable, Sendable, CaseIterable {
        case bind
        case unbind
        case approve
        case deny
    }
}

/// What a signature covers: `sig_version`.
public enum SignatureVersion: Int, Hashable, Sendable, CaseIterable, Codable {
    /// The challenge alone, as in the SDK documents.
    case challengeOnly = 0
    /// The challenge, the client, the user, the decision and the way of user verification.
    case statement = 1
}

/// How the phone verified its user: `uv`.
public enum UserVerification: String, Hashable, Sendable, CaseIterable, Codable {
    case biometric
    /// The passcode of the lock screen.
    case passcode
}

/// The user's answer to a request: `decision`.
public enum ApprovalDecision: String, Hashable, Sendable, CaseIterable, Codable {
    case approve
    case deny
}

extension BiometricStatement.Decision {
    package init(_ decision: ApprovalDecision) { self = decision == .approve ? .approve : .deny }
}

/// The envelope of biometric replies: `{"code":"0","data":…,"message":null}`. Refusals have the form of every other endpoint.
package enum BiometricEnvelope {
    package static let success = "0"
    /// ``WireMember/algorithm`` of the keys.
    package static let algorithm = "ES256"
}
