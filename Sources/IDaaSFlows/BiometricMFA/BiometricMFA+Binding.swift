internal import IDaaSWire
internal import JWTCore

extension BiometricMFA {
    /// Binds this device: makes a key for the user if there is none, and proves it to the server.
    ///
    /// The server requires a login of the last ten minutes.
    ///
    /// - Parameters:
    ///   - userID: identifies the user within this app. Each has an own key.
    ///   - idToken: the id_token of the session; nil takes the stored session's.
    public func bind(userID: String, idToken: String? = nil) async -> DeviceBindOutcome {
        do throws(FlowError) {
            let name = try name(userID)
            let login = try await login(idToken)
            try await keys.availability().get()
            let publicKey = try await withBiometrics { () throws(BiometricFailure) in try await keys.publicKey(name) }
            return try await bind(name, publicKey, login, reuse: .zero)
        } catch {
            return .failed(error)
        }
    }

    /// Binds this device with a key of ``publicKey(userID:)``. The app has just verified its user: a verification of the last ten seconds
    /// serves for the signature too.
    ///
    /// - Parameters:
    ///   - publicKey: in base64.
    ///   - idToken: the id_token of the session; nil takes the stored session's.
    public func bind(publicKey: String, idToken: String? = nil) async -> DeviceBindOutcome {
        do throws(FlowError) {
            guard !publicKey.isEmpty else { throw FlowError(.missingInput(WireMember.publicKey)) }
            guard let document = Base64.bytes(publicKey) else {
                throw FlowError(.invalidInput(WireMember.publicKey))
            }
            let login = try await login(idToken)
            let found = try await withBiometrics { () throws(BiometricFailure) in try await keys.name(ofPublicKey: document) }
            guard let found, found == (try name(found.userID)) else { throw FlowError(.biometric(.keyMissing)) }
            return try await bind(found, document, login, reuse: .seconds(10))
        } catch {
            return .failed(error)
        }
    }

    /// Unbinds this device, with a signature of its key, and removes the key.
    public func unbind(idToken: String? = nil) async -> DeviceUnbindOutcome {
        do throws(FlowError) {
            let login = try await login(idToken)
            let binding = binding(of: login)
            guard let userID = try await store.contents().bindings?[binding] else { return .unknownUser }
            let name = try name(userID)
            let body = try await proof(.unbind, name, login, reuse: .zero)
            guard try BiometricReply(try await wire.call(WireCall(post: WirePath.bioUnbind, body, login.fields))).isDone else {
                return .refused
            }
            // The server has ended the binding. A key that stays behind is of no use to anybody.
            try? await keys.remove(name)
            try await store.exclusively { contents in contents.bindings?[binding] = nil }
            wire.configuration.log.write("device unbound")
            return .unbound
        } catch {
            return .failed(error)
        }
    }

    private func bind(
        _ name: BiometricKeyName, _ publicKey: [UInt8], _ login: Login, reuse: Duration
    ) async throws(FlowError) -> DeviceBindOutcome {
        var body = try await proof(.bind, name, login, reuse: reuse)
        body[WireMember.publicKey] = .text(Base64.text(publicKey))
        body[WireMember.algorithm] = .text(BiometricEnvelope.algorithm)
        body[WireMember.deviceName] = .text(wire.configuration.device.operatingSystem)
        // Before the call: where the answer is lost, the server may have bound the device, and unbinding has to find the key.
        let binding = binding(of: login)
        try await store.exclusively { contents in contents.bindings = (contents.bindings ?? [:]).merging([binding: name.userID]) { $1 } }
        guard try BiometricReply(try await wire.call(WireCall(post: WirePath.bioDevice, body, login.fields))).isDone else {
            return .refused
        }
        wire.configuration.log.write("device bound")
        return .bound
    }

    /// Requests a challenge and signs it.
    private func proof(
        _ decision: BiometricStatement.Decision, _ name: BiometricKeyName, _ login: Login, reuse: Duration
    ) async throws(FlowError) -> [String: WireValue] {
        let answer = try await wire.call(
            WireCall(post: WirePath.bioChallenge, [WireMember.action: .text(decision.rawValue)], login.fields))
        guard let challenge = try BiometricReply(answer).data[WireMember.challenge]?.filled else { throw answer.unexpected }
        let signed = try await signed(
            challenge, for: decision == .bind ? .bind : .unbind, by: name, reuse: reuse,
            Statement(client: wire.configuration.clientID, user: login.user.id, decision: decision),
            version: wire.configuration.signatureVersion)
        return signed.members.merging([WireMember.challenge: .text(challenge)]) { $1 }
    }

    func binding(of login: Login) -> String {
        "\(wire.configuration.domain) \(wire.configuration.clientID) \(login.user.id)"
    }
}
