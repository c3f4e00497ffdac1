internal import IDaaSWire
internal import JWKSCache
internal import JWTCore

/// The single steps, for apps that verify their users and keep random strings themselves.
extension BiometricMFA {
    /// The user's public key. The first call makes the key, and later calls return the same.
    public func publicKey(userID: String) async -> PublicKeyOutcome {
        do throws(FlowError) {
            let name = try name(userID)
            let document = try await withBiometrics { () throws(BiometricFailure) in try await keys.publicKey(name) }
            return .publicKey(Base64.text(document))
        } catch {
            return .failed(error)
        }
    }

    /// Signs the random string of a request. Verifies the user first.
    ///
    /// - Parameters:
    ///   - text: one line.
    ///   - userID: the user of ``publicKey(userID:)``, whose key signs.
    ///   - request: the request with this random string, if it is known. The signature then covers its approval.
    public func sign(_ text: String, userID: String, approving request: PendingApproval? = nil) async -> SignedTextOutcome {
        do throws(FlowError) {
            let name = try name(userID)
            guard !text.isEmpty else { throw FlowError(.missingInput(WireMember.random)) }
            // Otherwise an app that signs what it is given could be made to sign an approval of version 1.
            guard HeaderField.isOneLine(text) else { throw FlowError(.invalidInput(WireMember.random)) }
            if let request, request.random == text, wire.configuration.signatureVersion == .statement {
                return .signed(
                    try await signed(
                        text, for: .approve(clientName: request.clientName), by: name, reuse: .zero,
                        Statement(client: request.clientID, user: request.subject, decision: .approve), version: .statement))
            }
            let signature = try await withBiometrics { () throws(BiometricFailure) in
                try await keys.signature(name, for: .sign, reuse: .zero) { _ in Array(text.utf8) }
            }
            return .signed(
                SignedText(
                    text: text, signature: Base64.text(signature.bytes), version: .challengeOnly,
                    verification: signature.verification))
        } catch {
            return .failed(error)
        }
    }

    /// Approves with a signature of ``sign(_:userID:approving:)``.
    public func respond(_ signed: SignedText, idToken: String? = nil) async -> ApprovalOutcome {
        await respond(signed.members.merging([WireMember.random: .text(signed.text)]) { $1 }, idToken)
    }

    /// Approves with a signature of version 0 whose random string is not known any more. The server finds the request by its user.
    ///
    /// - Parameters:
    ///   - signature: in base64.
    ///   - idToken: the id_token of the session; nil takes the stored session's.
    public func respond(signature: String, idToken: String? = nil) async -> ApprovalOutcome {
        guard !signature.isEmpty else { return .failed(FlowError(.missingInput(WireMember.signature))) }
        let version = WireValue.integer(Int64(SignatureVersion.challengeOnly.rawValue))
        return await respond([WireMember.signature: .text(signature), WireMember.signatureVersion: version], idToken)
    }

    private func respond(_ members: [String: WireValue], _ idToken: String?) async -> ApprovalOutcome {
        do throws(FlowError) {
            let login = try await login(idToken)
            return try await respond(
                members.merging([WireMember.decision: .text(ApprovalDecision.approve.rawValue)]) { $1 }, login)
        } catch {
            return .failed(error)
        }
    }
}
