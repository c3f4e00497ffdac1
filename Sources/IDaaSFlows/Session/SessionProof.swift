internal import IDaaSWire
internal import JWKSCache
internal import JWTCore
internal import Secrets

/// Proves to the server that a request belongs to the session: by the session token, or by the token encrypted with the application's key.
actor SessionProof {
    private let wire: WireClient
    private var key: EncryptionKey?

    init(_ wire: WireClient) { self.wire = wire }

    /// Makes a call with the proof. If the server cannot decrypt a signature, fetches the key again and repeats the call once.
    func call(_ session: Session, _ make: @Sendable ([HeaderField]) -> WireCall) async throws(FlowError) -> WireAnswer {
        guard case .signature(let mask) = wire.configuration.sessionForm else {
            return try await wire.call(make([HeaderField(WireHeader.sessionToken, session.sessionToken)]))
        }
        let isCached = key != nil
        do throws(FlowError) {
            return try await wire.call(make([try await signature(session, mask)]))
        } catch {
            guard isCached, case .service(let refusal) = error.reason, refusal.code == .undecryptableSignature else { throw error }
            key = nil
            return try await wire.call(make([try await signature(session, mask)]))
        }
    }

    /// `X-signature`: Base64 of RSA-OAEP over the token, the server's time and a nonce.
    private func signature(_ session: Session, _ mask: SignatureMask) async throws(FlowError) -> HeaderField {
        let key = try await publicKey()
        let timestamp = try await wire.serverDate().text
        let nonce = wire.randomness.token(characters: 32, alphabet: .hexadecimal)
        let plaintext = "session_token=\(session.sessionToken)&timestamp=\(timestamp)&nonce=\(nonce)"
        guard let sealed = key.encrypt(Array(plaintext.utf8), mask: mask == .sha1 ? .sha1 : .sha256) else {
            throw FlowError(.unusablePublicKey)
        }
        return HeaderField(WireHeader.signature, Base64.text(sealed))
    }

    private func publicKey() async throws(FlowError) -> EncryptionKey {
        if let key { return key }
        let answer = try await wire.call(WireCall(get: WirePath.publicKey))
        guard let fetched = EncryptionKey(document: try answer.text(WireMember.publicKey)) else {
            throw FlowError(.unusablePublicKey, requestID: answer.requestID)
        }
        key = fetched
        return fetched
    }
}
