public import IDaaSWire
internal import JWKSCache
internal import JWTCore

extension BiometricMFA {
    /// What a signature of version 1 covers besides the challenge and the way of verification.
    struct Statement {
        let client: String
        let user: String
        let decision: BiometricStatement.Decision
    }

    /// Signs a challenge.
    ///
    /// - Parameter version: the configuration's, or the documents'. No answer of a server lowers it.
    func signed(
        _ challenge: String, for reason: BiometricReason, by name: BiometricKeyName, reuse: Duration, _ statement: Statement,
        version: SignatureVersion
    ) async throws(FlowError) -> SignedText {
        // A line feed would move the parts of version 1, and would make a challenge of version 0 out of a statement of version 1.
        guard [challenge, statement.client, statement.user].allSatisfy({ !$0.isEmpty && HeaderField.isOneLine($0) }) else {
            throw FlowError(.unexpectedAnswer(status: 200))
        }
        let signature = try await withBiometrics { () throws(BiometricFailure) in
            try await keys.signature(name, for: reason, reuse: reuse) { verification in
                BiometricStatement(
                    challenge: challenge, client: statement.client, user: statement.user, decision: statement.decision,
                    verification: verification
                ).bytes(version)
            }
        }
        return SignedText(
            text: challenge, signature: Base64.text(signature.bytes), version: version, verification: signature.verification)
    }
}

/// A text and its signature.
public struct SignedText: Hashable, Sendable {
    /// The random string of a request, or a challenge.
    public let text: String
    /// ECDSA in DER, in base64.
    public let signature: String
    /// What the signature covers besides the text.
    public let version: SignatureVersion
    public let verification: UserVerification

    /// The members of a body that speak of the signature.
    var members: [String: WireValue] {
        [
            WireMember.signature: .text(signature), WireMember.signatureVersion: .integer(Int64(version.rawValue)),
            WireMember.userVerification: .text(verification.rawValue),
        ]
    }
}
