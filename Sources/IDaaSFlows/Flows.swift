/// Everything a program does with its tenant, put together once.
///
/// ```swift
/// let flows = Flows(try FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"), environment)
/// let pending = try await flows.sms.requestCode(mobile: "+86-13800000000", slider: page).get()
/// let session = try await flows.sms.logIn(mobile: pending.mobile, code: code).get()
/// let user = try await flows.identity.userInfo(of: session.idToken).get()
/// ```
///
/// Every call ends in exactly one outcome of its own type, which has the code of the vendor's SDK as `legacyCode`, and ends soon in
/// `cancelled` when its task is.
public final class Flows: Sendable {
    public let configuration: FlowConfiguration
    public let areaCodes: AreaCodes
    public let sms: SMSLogin
    public let sessions: SessionKeeper
    public let identity: IDTokenVerification
    let wire: WireClient

    public init(_ configuration: FlowConfiguration, _ environment: FlowEnvironment) {
        let serverClock = CorrectedClock(environment.clock)
        let device = DeviceIdentity(environment.store, environment.randomness)
        let wire = WireClient(configuration, environment, device, serverClock)
        self.configuration = configuration
        self.wire = wire
        areaCodes = AreaCodes(wire)
        sessions = SessionKeeper(wire, environment.store)
        sms = SMSLogin(wire, sessions)
        identity = IDTokenVerification(configuration, environment, serverClock)
        if configuration.profile == .legacyEIAM {
            configuration.log.write("profile legacyEIAM: id_tokens name neither this tenant nor this client; never use them at a gateway")
        }
    }

    /// How far the server's clock is ahead of this machine's, as far as its answers said so; never more than a day.
    public var clockOffset: Duration { wire.serverClock.offset }

    /// Asks for the server's clock, and corrects by it from now on.
    public func synchroniseClock() async -> ServerDateOutcome {
        do throws(FlowError) { return .date(try await wire.serverDate()) } catch { return .failed(error) }
    }
}

/// What asking for the server's clock ends in.
public enum ServerDateOutcome: FlowOutcome {
    case date(ServerDate)
    case failed(FlowError)

    public var legacyCode: String { failure?.legacyCode ?? "0" }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    public func get() throws(FlowError) -> ServerDate {
        switch self {
        case .date(let date): return date
        case .failed(let error): throw error
        }
    }
}
