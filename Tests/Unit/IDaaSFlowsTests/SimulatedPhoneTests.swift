import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import Testing

/// The phone that is not there: its WeChat app and its carrier are simulators of a development server.
@Suite struct SimulatedPhoneTests {
    static let origin = "http://127.0.0.1:8800"
    static let prefetch = "/__simulators/carrier/prefetch"
    static let token = "/__simulators/carrier/token"
    static let app = "/__simulators/wechat/app"

    private let server = ScriptedTenant()

    private func carrier(_ change: (inout SimulatedPhone) -> Void = { _ in }) throws -> SimulatedCarrier {
        var phone = SimulatedPhone([
            SimulatedSIM(.mobile, mobile: "+86-13800000000"), SimulatedSIM(.telecom, mobile: "+86-18900000000"),
        ])
        change(&phone)
        server.answer(
            Self.prefetch,
            .json(
                #"{"resultCode":"600000","msg":"ok","number":"138****0000","protocol_name":"中国移动认证服务条款","protocol_url":"https://cm.example"}"#
            ))
        server.answer(Self.token, .json(#"{"resultCode":"600000","msg":"ok","token":"t-1","expires_in":120}"#))
        return try SimulatedCarrier(Self.origin, transport: server, bundleID: "example.app", phone: phone)
    }

    private func codes(_ sdk: SimulatedCarrier, _ page: ScriptedOneClickPage) async -> [String?] {
        var codes: [String?] = []
        for await event in CarrierLogin(sdk, clock: ManualClock()).events(on: page) { codes.append(event.legacyCode) }
        return codes
    }

    @Test
    func theTokenIsAskedForAfterTheConsentAndTheButton() async throws {
        let page = ScriptedOneClickPage(.logIn, .readAgreement(0), .consent(true), .logIn)
        #expect(await codes(try carrier(), page) == ["6666", nil, nil, nil, "6668"])
        #expect(server.requests.map(\.path) == [Self.prefetch, Self.token])
        #expect(
            page.shown.map(\.isConsented) == [false, false, false, true]
                && page.shown.map(\.lacksConsent) == [false, true, false, false])
        #expect(page.shown.allSatisfy { $0.number == "138****0000" && $0.agreements.map(\.url) == ["https://cm.example"] })
        let request = try #require(server.requests(to: Self.token).first)
        #expect(
            request.body("bundle_id") == "example.app" && request.body("operator") == "CM" && request.body("mobile") == "+86-13800000000")
    }

    @Test(arguments: [(OneClickAction.back, "6667"), (.switchMethod, "6669")])
    func whoLeavesThePageAsksForNoToken(_ action: OneClickAction, code: String) async throws {
        #expect(await codes(try carrier(), ScriptedOneClickPage(.consent(true), action)) == ["6666", nil, code])
        #expect(server.requests(to: Self.token).isEmpty)
    }

    @Test(arguments: ["600011", "600015", "103911", "600013", "4433"])
    func whatTheCarrierRefusesIsAFailure(_ code: String) async throws {
        let sdk = try carrier()
        server.answer(Self.token, .json(#"{"resultCode":"\#(code)","msg":"simulated"}"#))
        let expected = CarrierCode(rawValue: code).meaning.legacyCode
        #expect(await codes(sdk, ScriptedOneClickPage(.consent(true), .logIn)) == ["6666", nil, expected])
    }

    @Test(arguments: [(prefetch, ["4444"]), (token, ["6666", nil, "4444"])])
    func withoutANetworkThereIsOneFailure(_ path: String, codes expected: [String?]) async throws {
        let sdk = try carrier()
        server.answer(path, .unreachable)
        #expect(await codes(sdk, ScriptedOneClickPage(.consent(true), .logIn)) == expected)
    }

    /// The questions of the documents: which SIM card, which network, and what is switched.
    static let phones: [(@Sendable (inout SimulatedPhone) -> Void, String?, String)] = [
        ({ _ in }, nil, "6666"), ({ $0.cards = [] }, nil, "1111"), ({ $0.dataCard = 2 }, nil, "1111"),
        ({ $0.hasMobileData = false }, nil, "2222"),
        ({ $0.permitsNetwork = false }, nil, "2222"), ({ _ in }, "13800000000", "6666"), ({ _ in }, "+86-13800000000", "6666"),
        ({ _ in }, "18900000000", "3344"), ({ $0.dataCard = 1 }, "18900000000", "6666"),
        ({ $0.cards = [SimulatedSIM(.mobile, mobile: "1", generation: 2)] }, nil, "6666"),
        ({ $0.cards = [SimulatedSIM(.unicom, mobile: "1", generation: 2)] }, nil, "4444"),
        ({ $0.cards = [SimulatedSIM(.unicom, mobile: "1", generation: 3)] }, nil, "6666"),
        ({ $0.cards = [SimulatedSIM(.telecom, mobile: "1", generation: 3)] }, nil, "4444"),
        ({ $0.cards = [SimulatedSIM(.telecom, mobile: "1", generation: 4)] }, nil, "6666"),
    ]

    @Test(arguments: phones.indices)
    func theCheckKnowsCardsAndNetworks(_ index: Int) throws {
        let (change, mobile, code) = Self.phones[index]
        #expect(CarrierLogin(try carrier(change), clock: ManualClock()).checkGateway(mobile: mobile).legacyCode == code)
        #expect(server.requests.isEmpty)
    }

    @Test
    func aCardForDataThatIsSwitchedIsFetchedAnew() async throws {
        let sdk = try carrier(), login = CarrierLogin(sdk, clock: ManualClock())
        #expect(await login.prefetch().legacyCode == "6666")
        sdk.change { $0.dataCard = 1 }
        var codes: [String?] = []
        for await event in login.events(on: ScriptedOneClickPage(.consent(true), .logIn)) { codes.append(event.legacyCode) }
        #expect(codes == ["6666", nil, "6668"])
        #expect(server.requests.map { $0.body("operator") } == ["CM", "CT", "CT"])
    }

    @Test
    func aCardThatIsSwitchedOnThePageGivesNoToken() async throws {
        struct Switching: OneClickPresenter {
            let sdk: SimulatedCarrier
            func action(on screen: OneClickScreen) async -> OneClickAction {
                guard screen.isConsented else { return .consent(true) }
                sdk.change { $0.dataCard = 1 }
                return .logIn
            }
        }
        let sdk = try carrier()
        var last: OneClickEvent?
        for await event in CarrierLogin(sdk, clock: ManualClock()).events(on: Switching(sdk: sdk)) { last = event }
        guard case .failed(let failure)? = last else {
            Issue.record("a switched card does not end the page with a failure")
            return
        }
        #expect(failure.meaning == .carrierSwitched && server.requests(to: Self.token).isEmpty)
    }

    static let answers: [(String, String)] = [
        (#"{"callback":"wx0123456789abcdef://oauth?code=c-1&state=STATE"}"#, "0"),
        (#"{"callback":"https://app.example/link/wx0123456789abcdef/oauth?code=c-1&state=STATE"}"#, "0"),
        (#"{"errcode":-4,"errmsg":"denied"}"#, "102"), (#"{"errcode":-2}"#, "102"), (#"{"errcode":-1}"#, "103"),
        (#"{"errcode":-5}"#, "103"),
        ("{}", "103"), ("<html>", "103"), (#"{"callback":"wx0123456789abcdef://oauth?code=c-1&state=other"}"#, "103"),
    ]

    @Test(arguments: answers)
    func theWeChatAppOfTheSimulatorAnswersAsARealOne(_ body: String, code: String) async throws {
        let stage = try WeChatStage()
        server.answer(Self.app) { request in .json(body.replacing("STATE", with: request.body("state") ?? "")) }
        let app = try SimulatedWeChat(Self.origin, transport: server, user: "jane", router: stage.router)
        #expect(await stage.weChat.authorize(via: stage.router, app).legacyCode == code)
        let request = try #require(server.requests.first)
        #expect(request.body("appid") == WeChatStage.appID && request.body("user") == "jane" && request.body("decision") == "allow")
        #expect(request.body("scope") == "snsapi_userinfo" && request.body("universal_link") == WeChatStage.universalLink)
    }

    @Test(arguments: ["https://tenant.example", "http://192.0.2.1", ""])
    func simulatorsAreOnThisMachineAlone(_ origin: String) throws {
        let router = try WeChatStage().router
        #expect(throws: FlowError.self) { try SimulatedWeChat(origin, transport: server, user: "u", router: router) }
        #expect(throws: FlowError.self) {
            try SimulatedCarrier(origin, transport: server, bundleID: "b", phone: SimulatedPhone([]))
        }
    }
}
