public import IDaaSWire
internal import JWKSCache

/// The WeChat app of a phone that is not there: asks the simulator of a development server for a code, and opens the program with it.
public struct SimulatedWeChat: WeChatAuthorizer {
    private let call: SimulatorCall
    private let user: String
    private let decision: SimulatedDecision
    private let router: WeChatCallbackRouter

    /// - Parameters:
    ///   - origin: of the simulators, on this machine.
    ///   - user: the WeChat account on the phone: any name.
    ///   - decision: what the user does on WeChat's page.
    ///   - transport: sends the requests to the simulators.
    ///   - router: gets the answer, as from a WeChat app that opens the program.
    /// - Throws: ``FlowError`` of reason `configuration`.
    public init(
        _ origin: String, transport: any FlowTransport, user: String, decision: SimulatedDecision = .allow,
        router: WeChatCallbackRouter
    ) throws(FlowError) {
        call = try SimulatorCall(origin, transport)
        self.user = user
        self.decision = decision
        self.router = router
    }

    public func open(_ request: WeChatRequest) async throws(WeChatFailure) {
        let body: [String: WireValue] = [
            SimulatorMember.appID: .text(request.application.id), SimulatorMember.scope: .text(request.scope),
            SimulatorMember.state: .text(request.state), SimulatorMember.universalLink: .text(request.application.universalLink),
            SimulatorMember.user: .text(user), SimulatorMember.decision: .text(decision.rawValue),
        ]
        let reply: WireValue
        do throws(RequestFailure) {
            reply = try await call.post(SimulatorPath.wechatApp, body)
        } catch {
            throw .sendingFailed
        }
        if let callback = reply[SimulatorMember.callback]?.filled {
            router.handle(url: callback)
            return
        }
        guard let code = reply[SimulatorMember.errorCode]?.integer else { throw .common }
        router.handle(WeChatResponse(errorCode: Int(clamping: code), code: nil, state: request.state))
    }
}
