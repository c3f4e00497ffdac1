import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct WeChatAuthorizationTests {
    @Test
    func eachRequestHasAStateOf190RandomBits() async throws {
        let stage = try WeChatStage(), app = stage.allowing()
        for _ in 0..<3 { #expect(await stage.weChat.authorize(via: stage.router, app).legacyCode == "0") }
        let states = app.requests.map(\.state)
        #expect(Set(states).count == 3 && states.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy { $0.isLetter || $0.isNumber } })
        #expect(app.requests.allSatisfy { $0.scope == "snsapi_userinfo" && $0.application.id == WeChatStage.appID })
    }

    @Test
    func theStoreKeepsTheRequestButNotItsState() async throws {
        let (state, later) = try await coldStart(try WeChatStage())
        let contents = try await later.tenant.store.contents()
        #expect(contents.authorization != nil)
        #expect(!String(decoding: try JSONEncoder().encode(contents), as: UTF8.self).contains(state))
        later.router.handle(url: WeChatStage.url(state: state))
        #expect(await later.weChat.resumeAuthorization(via: later.router)?.legacyCode == "0")
        #expect(try await later.tenant.store.contents().authorization == nil)
    }

    static let callbacks: [@Sendable (String) -> String] = [
        { "wx0123456789abcdef://oauth?code=c-1&state=\($0)" }, { "WX0123456789ABCDEF://oauth?state=\($0)&code=c-1" },
        { "wx0123456789abcdef://oauth/?code=c-1&state=\($0)&other=1" },
        { "https://app.example/link/wx0123456789abcdef/oauth?code=c-1&state=\($0)" },
        { "https://APP.example/link/wx0123456789abcdef/oauth?code=c%2D1&state=\($0)#fragment" },
    ]

    @Test(arguments: callbacks.indices)
    func theCodeComesByURLSchemeAndByUniversalLink(_ index: Int) async throws {
        let outcome = try await WeChatStage().authorize { Self.callbacks[index]($0.state) }
        #expect(try outcome.get() == "c-1")
    }

    @Test
    func anAnswerOfTheWeChatSDKIsACallbackToo() async throws {
        let stage = try WeChatStage()
        let outcome = await stage.authorize { [router = stage.router] request in
            router.handle(WeChatResponse(errorCode: 0, code: "c-1", state: request.state))
            return nil
        }
        #expect(try outcome.get() == "c-1")
    }

    /// What does not begin with the request's state is not sent to the server, and ends the login with one outcome.
    static let attacks: [(@Sendable (String) -> String, WeChatFailure)] = [
        ({ _ in "?code=c-1&state=foreign" }, .stateMismatch), ({ _ in "?code=c-1" }, .stateMismatch),
        ({ _ in "?code=c-1&state=" }, .stateMismatch),
        ({ "?code=c-1&state=\($0)x" }, .stateMismatch), ({ "?code=c-1&state=\($0)&state=\($0)" }, .stateMismatch),
        ({ "?code=c-1&State=\($0)" }, .stateMismatch), ({ "?code=c-1&state=\($0.dropLast())" }, .stateMismatch),
        ({ _ in "?code=authdeny&state=foreign" }, .stateMismatch), ({ "?code=c-1&code=c-2&state=\($0)" }, .common),
        ({ "?code=c%0A1&state=\($0)" }, .common), ({ "?code=c%201&state=\($0)" }, .common), ({ "?code=%E7%A0%81&state=\($0)" }, .common),
        ({ "?code=\(String(repeating: "c", count: 513))&state=\($0)" }, .common),
        ({ _ in "?id_token=e.e.e&session_token=fixed&code=c-1&state=foreign" }, .stateMismatch),
    ]

    @Test(arguments: attacks.indices)
    func aForeignStateOrAnInjectedCodeNeverReachesTheServer(_ index: Int) async throws {
        let stage = try WeChatStage(), (query, failure) = Self.attacks[index]
        let session = try await stage.tenant.logIn()
        let app = stage.app { WeChatStage.appID + "://oauth" + query($0.state) }
        let outcome = await stage.weChat.logIn(via: stage.router, app, page: ScriptedPage(), slider: ScriptedSlider(.closed))
        guard case .refused(failure) = outcome else {
            Issue.record("the callback is not refused: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "103" && outcome.failure?.reason == .weChat(failure))
        #expect(stage.tenant.server.requests(to: Path.weChatLogin).isEmpty)
        #expect(try await stage.tenant.store.contents().session == session)
    }

    static let denials: [@Sendable (String) -> String] = [
        { "?code=authdeny&state=\($0)" }, { "?state=\($0)" }, { _ in "?code=authdeny&state=" }, { _ in "" }, { "?code=&state=\($0)" },
    ]

    @Test(arguments: denials.indices)
    func whoDeniesOrCancelsIs102(_ index: Int) async throws {
        let stage = try WeChatStage()
        let outcome = await stage.authorize { WeChatStage.appID + "://oauth" + Self.denials[index]($0.state) }
        guard case .cancelled = outcome else {
            Issue.record("a denial does not cancel the login: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "102" && outcome.failure == nil)
    }

    @Test(arguments: [(-1, "103"), (-2, "102"), (-3, "103"), (-4, "102"), (-5, "103"), (-99, "103")])
    func theWeChatSDKsErrorsAre102Or103(_ errorCode: Int, code: String) async throws {
        let stage = try WeChatStage()
        for state in [nil, "own"] {
            let outcome = await stage.authorize { [router = stage.router] request in
                router.handle(WeChatResponse(errorCode: errorCode, code: nil, state: state == nil ? nil : request.state))
                return nil
            }
            #expect(outcome.legacyCode == code)
        }
    }

    @Test(arguments: WeChatFailure.allCases)
    func aRequestThatCannotBeSentIs103AndWaitsForNothing(_ failure: WeChatFailure) async throws {
        let stage = try WeChatStage()
        let outcome = await stage.weChat.authorize(via: stage.router, ScriptedWeChat(stage.router, failing: failure))
        #expect(outcome.legacyCode == failure.legacyCode)
    }

    /// Other programs, other providers and other calls of WeChat are left to the program, and the login goes on.
    static let foreign = [
        "wxother://oauth?code=c-1&state=STATE", "alipays://oauth?code=c-1&state=STATE", "wx0123456789abcdef://pay?code=c-1&state=STATE",
        "wx0123456789abcdef://oauth.evil.example?code=c-1&state=STATE", "wx0123456789abcdef://user@oauth?code=c-1&state=STATE",
        "wx0123456789abcdef://oauth/more?code=c-1&state=STATE", "https://evil.example/link/wx0123456789abcdef/oauth?code=c-1&state=STATE",
        "https://app.example/link/wxother/oauth?code=c-1&state=STATE",
        "http://app.example/link/wx0123456789abcdef/oauth?code=c-1&state=STATE",
        "https://app.example:8443/link/wx0123456789abcdef/oauth?code=c-1&state=STATE",
        "https://app.example/wx0123456789abcdef/oauth?code=c-1&state=STATE", "https://app.example/link/?code=c-1&state=STATE", "", "oauth",
        "wx0123456789abcdef:oauth?code=c-1&state=STATE",
    ]

    @Test(arguments: foreign)
    func aCallbackOfAnotherAppOrProviderIsNotTaken(_ url: String) async throws {
        let stage = try WeChatStage()
        let outcome = await stage.authorize { [router = stage.router] request in
            #expect(!router.handle(url: url.replacing("STATE", with: request.state)))
            return WeChatStage.url(code: "own", state: request.state)
        }
        #expect(try outcome.get() == "own")
    }

    @Test
    func aCallbackThatComesTwiceLogsInOnce() async throws {
        let stage = try WeChatStage(), app = stage.allowing()
        let outcome = await stage.weChat.logIn(via: stage.router, app, page: ScriptedPage(), slider: ScriptedSlider(.closed))
        #expect(outcome.legacyCode == "0")
        let state = try #require(app.requests.first?.state)
        #expect(stage.router.handle(url: WeChatStage.url(state: state)))
        guard case .refused(.stateMismatch)? = await stage.weChat.resumeAuthorization(via: stage.router) else {
            Issue.record("a callback without a request is not refused")
            return
        }
        #expect(stage.tenant.server.requests(to: Path.weChatLogin).count == 1)
    }

    @Test
    func aForeignCallbackUsesTheStateUp() async throws {
        let stage = try WeChatStage(), app = stage.app { _ in WeChatStage.url(state: "foreign") }
        #expect(await stage.weChat.authorize(via: stage.router, app).legacyCode == "103")
        let state = try #require(app.requests.first?.state)
        stage.router.handle(url: WeChatStage.url(state: state))
        #expect(await stage.weChat.resumeAuthorization(via: stage.router)?.legacyCode == "103")
    }

    /// WeChat opened the program anew: other objects, the same store.
    private func coldStart(_ stage: WeChatStage) async throws -> (state: String, later: WeChatStage) {
        let app = stage.app { _ in nil }, weChat = stage.weChat, router = stage.router
        let task = Task { await weChat.authorize(via: router, app) }
        #expect(await settles { app.requests.count == 1 })
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
        return (try #require(app.requests.first?.state), try WeChatStage(store: stage.tenant.store))
    }

    @Test
    func aProgramThatIsOpenedColdClaimsItsCallback() async throws {
        let (state, later) = try await coldStart(try WeChatStage())
        #expect(await later.weChat.resumeAuthorization(via: later.router) == nil)
        #expect(later.router.handle(url: WeChatStage.url(state: state)))
        #expect(try await later.weChat.resumeAuthorization(via: later.router)?.get() == "c-1")
        #expect(await later.weChat.resumeAuthorization(via: later.router) == nil)
    }

    @Test
    func theLoginAfterAColdStartDoesNotOpenWeChatAgain() async throws {
        let (state, later) = try await coldStart(try WeChatStage())
        later.router.handle(url: WeChatStage.url(code: "kept", state: state))
        let app = later.allowing()
        let outcome = await later.weChat.logIn(via: later.router, app, page: ScriptedPage(), slider: ScriptedSlider(.closed))
        #expect(outcome.legacyCode == "0" && app.requests.isEmpty)
        #expect(later.tenant.server.requests(to: Path.weChatLogin).first?.body("code") == "kept")
    }

    @Test
    func aCallbackThatNobodyAskedForSpoilsNoLaterLogin() async throws {
        let stage = try WeChatStage(), app = stage.allowing(code: "own")
        #expect(stage.router.handle(url: WeChatStage.url(code: "attacker", state: "foreign")))
        #expect(try await stage.weChat.authorize(via: stage.router, app).get() == "own")
        #expect(app.requests.count == 1)
    }

    @Test
    func aRequestOfAnotherClientOrApplicationIsNoneOfThisOne() async throws {
        let (state, later) = try await coldStart(try WeChatStage())
        let other = WeChatCallbackRouter(try WeChatApplication(id: "wxother", universalLink: WeChatStage.universalLink))
        other.handle(url: "wxother://oauth?code=c-1&state=\(state)")
        #expect(await later.weChat.resumeAuthorization(via: other)?.legacyCode == "103")
        let (again, third) = try await coldStart(try WeChatStage())
        let stranger = Flows(try FlowConfiguration(domain: Tenant.domain, clientID: "client-2"), third.tenant.environment)
        third.router.handle(url: WeChatStage.url(state: again))
        #expect(await stranger.weChat.resumeAuthorization(via: third.router)?.legacyCode == "103")
    }

    @Test(arguments: [(599, "0"), (600, "103"), (601, "103"), (3_600, "103"), (-3_600, "0")])
    func aStateLivesTenMinutesByTheMachinesClock(_ seconds: Int64, code: String) async throws {
        let (state, later) = try await coldStart(try WeChatStage())
        later.tenant.clock.setDate(Tenant.start + seconds)
        later.router.handle(url: WeChatStage.url(state: state))
        let outcome = await later.weChat.resumeAuthorization(via: later.router)
        #expect(outcome?.legacyCode == code)
        if code == "103" { #expect(outcome?.failure?.reason == .weChat(.stateExpired)) }
    }

    @Test(arguments: [Int64(3_600), -3_600])
    func aClockThatIsWrongByAnHourHindersNoLogin(_ error: Int64) async throws {
        let stage = try WeChatStage()
        stage.tenant.clock.setDate(Tenant.start + error)
        #expect(try await stage.authorize { WeChatStage.url(state: $0.state) }.get() == "c-1")
    }

    @Test
    func aUserWhoNeverComesBackEndsTheWaitAfterTenMinutes() async throws {
        let stage = try WeChatStage(), clock = stage.tenant.clock, weChat = stage.weChat, router = stage.router
        let app = stage.app { _ in nil }
        let task = Task { await weChat.authorize(via: router, app) }
        #expect(await settles { app.requests.count == 1 && clock.sleeperCount == 1 })
        clock.advance(by: .seconds(600))
        let outcome = await task.value
        #expect(outcome.legacyCode == "103" && outcome.failure?.reason == .weChat(.stateExpired))
    }

    @Test
    func aUserWhoBeginsAgainEndsTheFirstLogin() async throws {
        let stage = try WeChatStage(), weChat = stage.weChat, router = stage.router
        let silent = stage.app { _ in nil }
        let first = Task { await weChat.authorize(via: router, silent) }
        #expect(await settles { silent.requests.count == 1 })
        #expect(try await weChat.authorize(via: router, stage.allowing(code: "second")).get() == "second")
        #expect(await first.value.legacyCode == "102")
    }

    @Test
    func aStoreThatFailsIs1() async throws {
        let stage = try WeChatStage(store: FileSessionStore(path: "/nonexistent/folder/session.json"))
        let outcome = await stage.authorize { WeChatStage.url(state: $0.state) }
        guard case .failed(let error) = outcome, case .store = error.reason else {
            Issue.record("a failed store does not fail the login: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "1")
    }

    @Test(arguments: ["", "1wx", "wx_1", "wx 1", String(repeating: "w", count: 65)])
    func anAppIDIsTheSchemeOfAURL(_ id: String) {
        #expect(throws: FlowError.self) { try WeChatApplication(id: id, universalLink: WeChatStage.universalLink) }
    }

    @Test(arguments: [
        "", "app.example", "http://app.example/", "https://app.example/?a=b", "https://me@app.example/", "https://app.example/#f",
    ])
    func aUniversalLinkIsAnHttpsURL(_ link: String) {
        #expect(throws: FlowError.self) { try WeChatApplication(id: WeChatStage.appID, universalLink: link) }
    }
}
