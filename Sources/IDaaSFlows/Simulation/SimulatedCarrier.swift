internal import IDaaSWire
internal import JWKSCache
internal import JWTCore
internal import Locks

/// A carrier's SDK on a phone that is not there: its page is drawn by the presenter, its carrier is the simulator of a development server.
public final class SimulatedCarrier: CarrierSDK {
    private let call: SimulatorCall
    private let bundleID: String
    private let phone: Locked<SimulatedPhone>
    private let fetched = Locked(Fetched?.none)

    /// What the page shows, and of which card.
    private struct Fetched: Sendable {
        let sim: SimulatedSIM
        let number: String
        let agreement: OneClickPage.Agreement
    }

    /// - Parameters:
    ///   - origin: of the simulators, on this machine.
    ///   - bundleID: the registered program.
    ///   - phone: the SIM cards and the network.
    ///   - transport: sends the requests to the simulators.
    /// - Throws: ``FlowError`` of reason `configuration`.
    public init(
        _ origin: String, transport: any FlowTransport, bundleID: String, phone: SimulatedPhone
    ) throws(FlowError) {
        call = try SimulatorCall(origin, transport)
        self.bundleID = bundleID
        self.phone = Locked(phone)
    }

    public var version: String { "simulator" }

    /// Changes the phone, as a user does who switches the card for data or turns mobile data off.
    public func change(_ change: (inout SimulatedPhone) -> Void) { phone.withLock { change(&$0) } }

    public func obstacle(for mobile: String?) -> CarrierCode? { phone.withLock { $0 }.obstacle(for: mobile) }

    public func prefetch(timeout: Duration) async -> CarrierReply {
        let phone = phone.withLock { $0 }
        if let obstacle = phone.obstacle(for: nil) { return CarrierReply(obstacle) }
        guard let sim = phone.dataSIM else { return CarrierReply(.noSIM) }
        let (reply, document) = await ask(SimulatorPath.carrierPrefetch, sim, timeout)
        guard reply.code == .success, let document else { return reply }
        let known = Fetched(
            sim: sim, number: document[SimulatorMember.number]?.text ?? "",
            agreement: .init(
                title: document[SimulatorMember.protocolName]?.text ?? "", url: document[SimulatorMember.protocolURL]?.text ?? ""))
        fetched.withLock { $0 = known }
        return reply
    }

    public func login(_ page: OneClickPage, on presenter: any OneClickPresenter, timeout: Duration) -> AsyncStream<CarrierReply> {
        AsyncStream { continuation in
            let task = Task {
                await show(page, presenter, timeout) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Shows the page until a reply ends it.
    private func show(
        _ page: OneClickPage, _ presenter: any OneClickPresenter, _ timeout: Duration, _ tell: (CarrierReply) -> Void
    ) async {
        guard let known = fetched.withLock({ $0 }), known.sim == phone.withLock({ $0.dataSIM }) else {
            fetched.withLock { $0 = nil }
            return tell(CarrierReply(.carrierSwitched))
        }
        var screen = OneClickScreen(page: page, number: known.number, agreements: [known.agreement] + page.agreements)
        tell(CarrierReply(.pageShown))
        while !Task.isCancelled {
            let action = await presenter.action(on: screen)
            guard !Task.isCancelled else { return }
            screen.lacksConsent = false
            switch action {
            case .back: return tell(CarrierReply(.back))
            case .switchMethod: return tell(CarrierReply(.switchMethod))
            case .readAgreement: tell(CarrierReply(.linkPressed))
            case .consent(let isGiven):
                screen.isConsented = isGiven
                tell(CarrierReply(.consentChanged, isConsented: isGiven))
            case .logIn:
                tell(CarrierReply(.loginPressed, isConsented: screen.isConsented))
                guard screen.isConsented else {
                    screen.lacksConsent = true
                    continue
                }
                return tell(await token(known.sim, timeout))
            }
        }
    }

    private func token(_ sim: SimulatedSIM, _ timeout: Duration) async -> CarrierReply {
        // The card may have been switched while the page was open.
        guard sim == phone.withLock({ $0.dataSIM }) else { return CarrierReply(.carrierSwitched) }
        let (reply, document) = await ask(SimulatorPath.carrierToken, sim, timeout)
        guard reply.code == .success else { return reply }
        guard let token = document?[SimulatorMember.token]?.filled else { return CarrierReply(.tokenFailed) }
        return CarrierReply(reply.code, message: reply.message, token: token)
    }

    private func ask(_ path: String, _ sim: SimulatedSIM, _ timeout: Duration) async -> (CarrierReply, WireValue?) {
        guard phone.withLock({ $0.hasMobileData }) else { return (CarrierReply(.noCellular), nil) }
        let body: [String: WireValue] = [
            SimulatorMember.bundleID: .text(bundleID), SimulatorMember.carrier: .text(sim.carrier.rawValue),
            SimulatorMember.generation: .integer(Int64(sim.generation)), SimulatorMember.mobile: .text(sim.mobile),
        ]
        do throws(RequestFailure) {
            let document = try await call.post(path, body, within: timeout)
            let code = document[SimulatorMember.resultCode]?.filled.map { CarrierCode(rawValue: $0) } ?? .unknown
            return (CarrierReply(code, message: document[SimulatorMember.message]?.text ?? ""), document)
        } catch {
            return (CarrierReply(error.reason == .timedOut ? .timedOut : .unknown, message: error.reason.rawValue), nil)
        }
    }
}
