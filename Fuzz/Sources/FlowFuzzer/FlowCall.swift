import AssayTesting
import Foundation
import FuzzInput
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWTCore
import Secrets

/// The calls of the flows, by number.
struct FlowCall: Sendable {
    private let flows: Flows
    private let tenant: FuzzedTenant

    /// - Parameter setting: the profile, the form of the session, and whether there is one.
    init?(_ tenant: FuzzedTenant, setting: UInt8) {
        guard var configuration = try? FlowConfiguration(domain: FuzzedTenant.domain, clientID: "client-1") else { return nil }
        configuration.log = FlowLog { tenant.write($0) }
        if setting & 1 != 0 { configuration.sessionForm = .signature() }
        if setting & 2 != 0 { configuration.pointEncoding = .ajAES }
        if setting & 4 != 0 { configuration.profile = .legacyEIAM }
        var environment = FlowEnvironment(
            transport: tenant, keyTransport: tenant, store: MemorySessionStore(Self.contents), clock: ManualClock(),
            randomness: Randomness { [UInt8](repeating: 0x17, count: $0) })
        environment.biometricKeys = FuzzedBiometricKeys()
        flows = Flows(configuration, environment)
        self.tenant = tenant
    }

    /// A session is kept. Its form is the store's.
    private static let contents: StoredContents = {
        let session = #"""
            {"sessionToken":"\#(FuzzedTenant.sessionToken)","idToken":"\#(FuzzedTenant.idToken)","renewedAt":1700000000,
            "idTokenExpiresAt":1700003600,"domain":"\#(FuzzedTenant.domain)","clientID":"client-1"}
            """#
        var contents = StoredContents()
        contents.session = try? JSONDecoder().decode(Session.self, from: Data(session.utf8))
        precondition(contents.session != nil, "the fuzzer's own session cannot be read")
        return contents
    }()

    func run(_ number: Int, _ argument: String) async -> (any FlowOutcome)? {
        if let outcome = await login(number, argument) { return outcome }
        if let outcome = await session(number, argument) { return outcome }
        return await secondFactor(number, argument)
    }

    private func login(_ number: Int, _ argument: String) async -> (any FlowOutcome)? {
        switch number {
        case 0: return await flows.synchroniseClock()
        case 1: return await areaCodes(argument)
        case 2: return await flows.sms.requestCode(mobile: "13800000000", slider: FuzzedSlider())
        case 3: return await flows.sms.logIn(mobile: "13800000000", code: argument)
        case 4: return await flows.weChat.logIn(code: argument, nonce: "n-1")
        case 5: return await flows.weChat.finish(BindingStep(.bind, stateToken: argument), mobile: "13800000000", code: "123456")
        case 6: return await flows.oneClick.logIn(CarrierToken(argument, consentedAt: 0))
        case 7: return Callback.handle(argument)
        case 8: return Self.configuration(argument)
        default: return nil
        }
    }

    private func session(_ number: Int, _ argument: String) async -> (any FlowOutcome)? {
        switch number {
        case 9: return await flows.sessions.renew()
        case 10: return await flows.sessions.list()
        case 11: return await flows.sessions.end(argument)
        case 12: return await flows.sessions.logOut(everywhere: argument.isEmpty)
        case 13: return await flows.sessions.renew(sessionToken: argument)
        case 14: return await flows.identity.verify(argument.isEmpty ? FuzzedTenant.idToken : argument)
        case 15:
            tenant.fuzzIssuer()
            return await flows.identity.verify(argument.isEmpty ? FuzzedTenant.idToken : argument, nonce: "n-1")
        default: return nil
        }
    }

    private func secondFactor(_ number: Int, _ argument: String) async -> (any FlowOutcome)? {
        switch number {
        case 16: return await flows.biometrics.deviceStatus()
        case 17: return await flows.biometrics.bind(userID: argument)
        case 18: return await flows.biometrics.bind(publicKey: argument)
        case 19: return await flows.biometrics.unbind()
        case 20: return await flows.biometrics.sign(argument, userID: "user-1")
        case 21: return await flows.biometrics.respond(signature: argument)
        default:
            let outcome = await flows.biometrics.pending()
            guard case .pending(let request) = outcome else { return outcome }
            return await flows.biometrics.answer(request, argument.isEmpty ? .approve : .deny, userID: "user-1")
        }
    }

    /// The list, and a number that is read with it.
    private func areaCodes(_ argument: String) async -> any FlowOutcome {
        let outcome = await flows.areaCodes.list()
        if case .success(let list) = outcome, let number = list.number(argument) {
            precondition(list.number(exactly: "+\(number)") == nil || !"\(number)".isEmpty)
        }
        return outcome
    }

    private static func configuration(_ domain: String) -> (any FlowOutcome)? {
        guard let configuration = try? FlowConfiguration(domain: domain, clientID: "client-1") else { return nil }
        precondition(configuration.domain.hasPrefix("https://") || configuration.isLoopback, "a tenant over http")
        return nil
    }
}
