#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import SharedSignals

/// One transmitter: its keys, what was received of it, and what its events may revoke.
final class SignalStream: Sendable {
    let settings: SignalSettings.Stream
    let keys: RemoteKeySet
    let memory: SecurityEventMemory
    let terms: RevocationTerms
    let counts = SignalCounts()
    /// Asks for events.
    let transport: any DocumentTransport
    private let verifier: SecurityEventVerifier<RemoteKeySet>

    var name: String { settings.name }

    /// - Parameters:
    ///   - transport: fetches in place of HTTP; nil: HTTP.
    ///   - observer: receives the events of the keys.
    /// - Throws: `SettingsFailure` if a file of the transport cannot be used.
    init(
        _ settings: SignalSettings.Stream, transport: (any DocumentTransport)?, clock: any ElapsedClock,
        observer: @escaping @Sendable (RefreshEvent) -> Void
    ) throws(SettingsFailure) {
        let forKeys = try settings.transport.client(Self.setting)
        let forEvents = try settings.transport.client(Self.setting, bodyBytes: Self.mostBodyBytes)
        self.settings = settings
        self.transport = transport ?? forEvents
        keys = RemoteKeySet(settings.keys, policy: .revocationFirst, transport: transport ?? forKeys, clock: clock, observer: observer)
        var policy = ClaimsPolicy.securityEvents(
            issuer: settings.issuer, audience: settings.audience, maximumAge: settings.maximumAge)
        policy.leeway = settings.leeway
        verifier = SecurityEventVerifier(keys: keys, policy: policy)
        memory = SecurityEventMemory(capacity: settings.mostTokens)
        terms = RevocationTerms(
            tokenIssuer: settings.revokes, credentialChangeRevokes: settings.credentialChangeRevokes, leeway: settings.leeway)
    }

    static let setting = "signals.streams.transport"
    /// Of an answer with events: 256 of the longest.
    private static let mostBodyBytes = 4_194_304

    /// Verifies an event. An unknown key is waited for, as long as the policy of the keys says.
    func verified(_ token: [UInt8], at now: NumericDate) async -> Result<VerifiedSecurityEventToken, SecurityEventError> {
        do throws(VerificationError) {
            return try await keys.retrying { () throws(VerificationError) -> Result<VerifiedSecurityEventToken, SecurityEventError> in
                do throws(SecurityEventError) {
                    return .success(try verifier.verify(token, now: now))
                } catch {
                    if let cause = error.cause, cause.code == .keysUnavailable { throw cause }
                    return .failure(error)
                }
            }
        } catch {
            return .failure(SecurityEventError(refusing: error))
        }
    }

    /// Until when the same token could be accepted again.
    func memoryEnd(of token: VerifiedSecurityEventToken, at now: NumericDate) -> NumericDate {
        verifier.acceptedUntil(issuedAt: token.issuedAt) ?? now
    }
}
#endif
