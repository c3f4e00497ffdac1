internal import IDaaSWire
internal import JWKSCache
internal import JWTCore

/// The phone as second factor of a login at a PC: binds a key of this device to the user, asks whether a login waits, and answers it.
///
/// A signature is made only after the phone verified its user. By ``FlowConfiguration/signatureVersion`` it covers the decision, the user and
/// the application. Calls without an id_token use the current session's.
public struct BiometricMFA: Sendable {
    let wire: WireClient
    let store: any SessionStore
    let keys: any BiometricKeyStore
    let sessions: SessionKeeper
    let identity: IDTokenVerification

    init(
        _ wire: WireClient, _ store: any SessionStore, _ keys: any BiometricKeyStore, _ sessions: SessionKeeper,
        _ identity: IDTokenVerification
    ) {
        self.wire = wire
        self.store = store
        self.keys = keys
        self.sessions = sessions
        self.identity = identity
    }

    /// Whether this device recognises faces or fingers, and can do so now. Does not ask the user.
    public func availability() async -> BiometricAvailability { await keys.availability() }

    /// Whether the user has bound a device. Call this before binding, unbinding and answering.
    public func deviceStatus(idToken: String? = nil) async -> DeviceStatusOutcome {
        do throws(FlowError) {
            let login = try await login(idToken)
            let data = try BiometricReply(try await wire.call(WireCall(get: WirePath.bioDevice, login.fields))).data
            guard let isBound = data[WireMember.isBound] else { throw FlowError(.unexpectedAnswer(status: 200)) }
            guard isBound.truth else { return .notBound }
            let date = data[WireMember.bound]?.text.flatMap { ServerDate($0) }
            return .bound(keyID: data[WireMember.keyID]?.filled, at: date?.seconds)
        } catch {
            return .failed(error)
        }
    }

    /// Asks whether a login at a PC waits for this user.
    public func pending(idToken: String? = nil) async -> PendingApprovalOutcome {
        do throws(FlowError) {
            let login = try await login(idToken)
            let data = try BiometricReply(try await wire.call(WireCall(get: WirePath.bioPending, login.fields))).data
            guard let request = PendingApproval(data, subject: login.user.id, now: wire.clock.date.seconds) else { return .none }
            return .pending(request)
        } catch {
            return .failed(error)
        }
    }

    /// The user of an id_token, verified on this device, and the token as the credential of a call.
    struct Login {
        let user: UserInfo
        let fields: [HeaderField]
    }

    func login(_ idToken: String?) async throws(FlowError) -> Login {
        let token =
            if let idToken { idToken } else { try await sessions.current().get().idToken }
        let user = try await identity.verify(token).get()
        // The user stands in a line of what the key signs.
        guard HeaderField.isOneLine(user.id) else { throw FlowError(.invalidInput(WireMember.idToken)) }
        return Login(user: user, fields: [HeaderField("Authorization", "Bearer \(token)")])
    }

    func name(_ userID: String) throws(FlowError) -> BiometricKeyName {
        BiometricKeyName(
            domain: wire.configuration.domain, clientID: wire.configuration.clientID,
            userID: try WireText.checked(userID, "userID", upTo: 256))
    }
}

/// Runs a call of the key store.
func withBiometrics<Result>(_ body: () async throws(BiometricFailure) -> Result) async throws(FlowError) -> Result {
    do throws(BiometricFailure) { return try await body() } catch { throw FlowError(.biometric(error)) }
}
