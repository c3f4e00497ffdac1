public import IDaaSWire

/// A program's calls to its tenant.
///
/// ```swift
/// let flows = Flows(try FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"), environment)
/// let pending = try await flows.sms.requestCode(mobile: "+86-13800000000", slider: page).get()
/// let session = try await flows.sms.logIn(mobile: pending.mobile, code: code).get()
/// let user = try await flows.identity.userInfo(of: session.idToken).get()
/// ```
///
/// Every call ends in one outcome, with the code of the vendor's SDK as `legacyCode`. A call whose task is cancelled soon
/// ends as `cancelled`.
public final class Flows: Sendable {
    public let configuration: FlowConfiguration
    public let areaCodes: AreaCodeLookup
    public let sms: SMSLogin
    public let weChat: WeChatLogin
    public let oneClick: OneClickLogin
    public let sessions: SessionKeeper
    public let identity: IDTokenVerification
    /// The biometric second factor.
    public let biometrics: BiometricMFA
    let wire: WireClient

    public init(_ configuration: FlowConfiguration, _ environment: FlowEnvironment) {
        let serverClock = CorrectedClock(environment.clock)
        let device = DeviceIdentity(environment.store, environment.randomness)
        let wire = WireClient(configuration, environment, device, serverClock)
        self.configuration = configuration
        self.wire = wire
        areaCodes = AreaCodeLookup(wire)
        sessions = SessionKeeper(wire, environment.store)
        sms = SMSLogin(wire, sessions)
        weChat = WeChatLogin(wire, sessions, environment.store)
        oneClick = OneClickLogin(wire, sessions)
        identity = IDTokenVerification(configuration, environment, serverClock)
        biometrics = BiometricMFA(wire, environment.store, environment.biometricKeys, sessions, identity)
        if configuration.profile == .legacyEIAM {
            configuration.log.write("profile legacyEIAM: id_tokens name neither the tenant nor the client; a gateway must not accept them")
        }
    }

    /// The server clock's lead over this machine's, from the server's answers: at most one day.
    public var clockOffset: Duration { wire.serverClock.offset }

    /// Requests the server's time. Later calls use it.
    public func synchroniseClock() async -> CallOutcome<ServerDate> {
        await CallOutcome { () throws(FlowError) in try await wire.serverDate() }
    }
}
