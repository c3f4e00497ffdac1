import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import LoginSupport
import Testing

/// The mistakes of real users and the attempts of attackers, through the flows of a phone and a running server: WeChat and one-click.
struct PhoneFlowSentences {
    private static let mobile = "+86-13800000000"

    /// A phone with WeChat, a SIM card and this program.
    private struct Phone: Sendable {
        let live: LiveFlows
        let server: LiveServer
        let router: WeChatCallbackRouter

        init(_ server: LiveServer, store: any SessionStore = MemorySessionStore()) throws {
            self.server = server
            live = try LiveFlows(server, store: store)
            router = WeChatCallbackRouter(try WeChatApplication(id: OtherLogin.app, universalLink: "https://app.example/"))
        }

        var flows: Flows { live.flows }

        func weChat(_ user: String = "li", _ decision: SimulatedDecision = .allow) throws -> SimulatedWeChat {
            try SimulatedWeChat(server.ready.url, transport: live.requests, user: user, decision: decision, router: router)
        }

        func logIn(_ user: String = "li", _ page: TypingPage? = nil) async throws -> WeChatLoginOutcome {
            await flows.weChat.logIn(via: router, try weChat(user), page: page ?? TypingPage(server), slider: SolvingPresenter())
        }

        func carrier(_ mobile: String = PhoneFlowSentences.mobile, _ change: (inout SimulatedPhone) -> Void = { _ in }) throws
            -> CarrierLogin
        {
            var phone = SimulatedPhone([SimulatedSIM(.mobile, mobile: mobile)])
            change(&phone)
            let sdk = try SimulatedCarrier(server.ready.url, transport: live.requests, bundleID: "com.example.shop", phone: phone)
            return CarrierLogin(sdk, clock: live.clock)
        }

        /// A login token, after the user's consent.
        func carrierToken() async throws -> CarrierToken {
            for await event in try carrier().events(on: AgreeingPage()) {
                if case .login(let token) = event { return token }
            }
            throw Missing()
        }
    }

    private struct Missing: Error {}

    /// Types a number, and the code of its SMS.
    private struct TypingPage: BindPhonePresenter {
        let server: LiveServer
        var mobile = PhoneFlowSentences.mobile
        var beforeConfirming: @Sendable () -> Void = {}

        init(_ server: LiveServer) { self.server = server }

        func action(on page: BindPhonePage) async -> BindPhoneAction {
            guard page.mistake == nil else { return .back }
            guard let sent = page.sent else { return .sendCode(mobile: mobile) }
            guard let code = try? await server.lastCode(of: sent.mobile) else { return .back }
            beforeConfirming()
            return .confirm(mobile: sent.mobile, code: code)
        }
    }

    /// Sets the check box and logs in.
    private struct AgreeingPage: OneClickPresenter {
        func action(on screen: OneClickScreen) async -> OneClickAction { screen.isConsented ? .logIn : .consent(true) }
    }

    @Test
    func aNewAccountOfWeChatRegistersANumberAndThenLogsInWithoutAPage() async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server)
            let session = try await phone.logIn().get()
            let user = try await phone.flows.identity.userInfo(of: session.idToken).get()
            #expect(user.mobile == Self.mobile)
            let again = try await phone.logIn().get()
            #expect(try await phone.flows.identity.userInfo(of: again.idToken).get().id == user.id)
            #expect(phone.live.requests.all.allSatisfy { !$0.url.contains("?") })
        }
    }

    @Test
    func anAccountIsBoundToTheUserOfItsNumberWhereTheServerSaysSo() async throws {
        try await LiveServer.simulatedFlows {
            $0.wechat?.registersNewUsers = false
        } _: { server in
            let phone = try Phone(server)
            // The number has no user yet: the page says so, and the user goes back.
            #expect(try await phone.logIn().legacyCode == "104")
            let user = try await server.addUser(Self.mobile)
            let session = try await phone.logIn("wang").get()
            #expect(try await phone.flows.identity.userInfo(of: session.idToken).get().id == user.id)
        }
    }

    @Test(arguments: [(SimulatedDecision.deny, "102"), (.cancel, "102")])
    func whoDeniesInWeChatIsNotLoggedIn(_ decision: SimulatedDecision, code: String) async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server)
            #expect(await phone.flows.weChat.authorize(via: phone.router, try phone.weChat("li", decision)).legacyCode == code)
        }
    }

    @Test
    func aCodeOfAnotherPhoneOrOneThatWasUsedIs1() async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server), thief = try Phone(server)
            _ = try await phone.logIn().get()
            let code = try await phone.flows.weChat.authorize(via: phone.router, try phone.weChat()).get()
            #expect(await phone.flows.weChat.logIn(code: code).legacyCode == "0")
            #expect(await thief.flows.weChat.logIn(code: code).legacyCode == "1")
            phone.live.advance(by: 31)
            #expect(await phone.flows.weChat.logIn(code: code).legacyCode == "1")
        }
    }

    @Test
    func aStepOfAnotherPhoneOrOneThatExpiredIsRefused() async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server), thief = try Phone(server)
            let code = try await phone.flows.weChat.authorize(via: phone.router, try phone.weChat()).get()
            guard let step = await phone.flows.weChat.logIn(code: code).step else { throw Missing() }
            let sent = await thief.flows.weChat.requestCode(for: step, mobile: Self.mobile, slider: SolvingPresenter())
            #expect(sent.legacyCode.hasPrefix("IDAAS.SDK.COMMON.100"))
            var page = TypingPage(server)
            page.beforeConfirming = { [live = phone.live] in live.advance(by: 600) }
            let outcome = try await phone.logIn("wang", page)
            #expect(outcome.legacyCode == "IDAAS.SDK.COMMON.1005")
        }
    }

    @Test
    func theOwnerOfTheSIMCardLogsInWithOneClick() async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server)
            let outcome = await phone.flows.oneClick.logIn(via: try phone.carrier(), on: AgreeingPage())
            guard case .loggedIn(let session) = outcome else {
                Issue.record("the owner of the SIM card is not logged in: \(outcome)")
                return
            }
            let user = try await phone.flows.identity.userInfo(of: session.idToken).get()
            #expect(user.mobile == Self.mobile)
        }
    }

    @Test
    func aCarriersTokenOfAnotherPhoneOrOneThatIsTooOldIs1005() async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server), thief = try Phone(server)
            let token = try await phone.carrierToken()
            #expect(await phone.flows.oneClick.logIn(token).legacyCode == "0")
            #expect(await thief.flows.oneClick.logIn(token).legacyCode == "IDAAS.SDK.COMMON.1005")
            let late = try await phone.carrierToken()
            phone.live.advance(by: 120)
            #expect(await phone.flows.oneClick.logIn(late).legacyCode == "IDAAS.SDK.COMMON.1005")
        }
    }

    @Test(arguments: [("600011", "4444"), ("600015", "5555"), ("600008", "2222"), ("103911", "4444"), ("4433", "3344")])
    func aCarriersRefusalHasItsDocumentedResult(_ code: String, result: String) async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server)
            try await server.order(code, from: "carrier")
            let outcome = await phone.flows.oneClick.logIn(via: try phone.carrier(), on: AgreeingPage())
            #expect(outcome.legacyCode == result && outcome.fallback == .sms)
            // Another way: by SMS, with the same flows.
            #expect(try await phone.live.logIn(Self.mobile).sessionToken.isEmpty == false)
        }
    }

    @Test
    func aStolenSessionIsNotFixedByALoginOnAnotherPhone() async throws {
        try await LiveServer.simulatedFlows { server in
            let phone = try Phone(server), thief = try Phone(server)
            let session = try await phone.logIn().get()
            #expect(await thief.flows.sessions.renew(sessionToken: session.sessionToken).session == nil)
            let next = try await phone.logIn().get()
            #expect(next.sessionToken != session.sessionToken)
        }
    }
}

extension LiveServer {
    /// Runs `body` with a server for flows that simulates WeChat and the carriers.
    fileprivate static func simulatedFlows<Result>(
        settings: @Sendable @escaping (inout ClientSettings) -> Void = { _ in }, _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        try await simulated(clock: ManualServerClock(LiveFlows.start), settings: settings, body)
    }
}
