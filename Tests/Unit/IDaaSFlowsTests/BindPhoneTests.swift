import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

/// The login through WeChat in one call, with the page for binding and registration.
@Suite struct BindPhoneTests {
    static let mobile = "+86-13800000000"
    static let send = BindPhoneAction.sendCode(mobile: mobile)
    static let confirm = BindPhoneAction.confirm(mobile: mobile, code: "123456")

    @Test
    func anAccountWithAUserSeesNoPage() async throws {
        let stage = try WeChatStage(), page = ScriptedPage()
        #expect(await stage.logIn(page).legacyCode == "0")
        #expect(page.shown.isEmpty)
    }

    @Test(arguments: BindingStep.Kind.allCases)
    func theServerChoosesThePageAndTheNumberIsBound(_ kind: BindingStep.Kind) async throws {
        let stage = try WeChatStage(), page = ScriptedPage(Self.send, Self.confirm)
        stage.sendsSMS()
        stage.hasNoUser(kind)
        let outcome = await stage.logIn(page)
        #expect(outcome.legacyCode == "0" && page.shown.allSatisfy { $0.kind == kind })
        #expect(page.shown.map { $0.sent != nil } == [false, true])
        #expect(page.shown[0].style.confirmText == (kind == .register ? "注册" : "绑定"))
        #expect(
            stage.tenant.server.requests.map(\.path)
                == [Path.weChatLogin, Path.captcha, Path.verify, Path.send, kind == .register ? Path.register : Path.bind])
        #expect(try await stage.tenant.store.contents().session == outcome.get())
    }

    @Test
    func backOnThePageIs104() async throws {
        let stage = try WeChatStage()
        stage.hasNoUser()
        let outcome = await stage.logIn(ScriptedPage(.back))
        guard case .backPressed = outcome else {
            Issue.record("the back button does not end the page: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "104" && outcome.failure == nil)
    }

    @Test
    func aClosedSliderLeavesThePageAsItIs() async throws {
        let stage = try WeChatStage(), page = ScriptedPage(Self.send, .back)
        stage.sendsSMS()
        stage.hasNoUser()
        #expect(await stage.logIn(page, slider: ScriptedSlider(.closed)).legacyCode == "104")
        #expect(page.shown.allSatisfy { $0.mistake == nil && $0.sent == nil })
        #expect(stage.tenant.server.requests(to: Path.send).isEmpty)
    }

    static let mistakes: [(ScriptedTenant.Reply, String)] = [
        (.refusal("IDAAS.SDK.SMS.1005"), "IDAAS.SDK.SMS.1005"), (.refusal("IDAAS.SDK.SOCIAL.1003"), "IDAAS.SDK.SOCIAL.1003"),
        (.refusal("IDAAS.SDK.COMMON.1002"), "IDAAS.SDK.COMMON.1002"), (.unreachable, "1"),
        (.refusal("IDAAS.SDK.COMMON.1005", details: #"{"args":["mobile"]}"#), "IDAAS.SDK.COMMON.1005"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsShownOnThePageAndTheUserTriesAgain(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let stage = try WeChatStage(), page = ScriptedPage(Self.send, Self.confirm, Self.confirm)
        stage.sendsSMS()
        stage.hasNoUser()
        stage.tenant.server.answer(Path.register, inTurn: [reply, Tenant.tokens()])
        #expect(await stage.logIn(page).legacyCode == "0")
        #expect(page.shown.map { $0.mistake?.legacyCode } == [nil, nil, code])
    }

    static let ends: [(ScriptedTenant.Reply, String)] = [
        (.refusal("IDAAS.SDK.COMMON.1005"), "IDAAS.SDK.COMMON.1005"),
        (.refusal("IDAAS.SDK.COMMON.1005", details: #"{"args":["state_token"]}"#), "IDAAS.SDK.COMMON.1005"),
        (.refusal("IDAAS.SDK.COMMON.1006", details: #"{"args":["state_token"]}"#), "IDAAS.SDK.COMMON.1006"),
        (.json(#"{"status":"ACCESS_DENIED"}"#), "1"),
    ]

    @Test(arguments: ends)
    func aStateTokenThatExpiredOrWasUsedEndsTheLogin(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let stage = try WeChatStage(), page = ScriptedPage(Self.send, Self.confirm, Self.confirm)
        stage.sendsSMS()
        stage.hasNoUser()
        stage.tenant.server.answer(Path.register, reply)
        #expect(await stage.logIn(page).legacyCode == code)
        #expect(page.shown.count == 2)
    }

    /// No network at one step: the login ends with one outcome, and the page says why.
    static let steps: [(path: String, mistakes: [Bool])] = [
        (Path.captcha, [false, true]), (Path.verify, [false, true]), (Path.send, [false, true]), (Path.register, [false, false, true]),
    ]

    @Test(arguments: steps.indices)
    func withoutANetworkAtAStepOfThePageItSaysSoAndTheUserCanLeave(_ index: Int) async throws {
        let stage = try WeChatStage(), (path, mistakes) = Self.steps[index]
        let page = path == Path.register ? ScriptedPage(Self.send, Self.confirm) : ScriptedPage(Self.send)
        stage.sendsSMS()
        stage.hasNoUser()
        stage.tenant.server.answer(path, .unreachable)
        #expect(await stage.logIn(page).legacyCode == "104")
        #expect(page.shown.map { $0.mistake?.isOffline ?? false } == mistakes)
        #expect(try await stage.tenant.store.contents().session == nil)
    }

    @Test
    func withoutANetworkAfterTheAuthorisationTheLoginIs1() async throws {
        let stage = try WeChatStage()
        stage.tenant.server.answer(Path.weChatLogin, .unreachable)
        let outcome = await stage.logIn(ScriptedPage())
        #expect(outcome.legacyCode == "1" && outcome.failure?.isOffline == true)
    }

    @Test
    func aProgramThatTriesForEverIsStopped() async throws {
        struct Endless: BindPhonePresenter {
            func action(on page: BindPhonePage) async -> BindPhoneAction { .confirm(mobile: "+86-13800000000", code: "1") }
        }
        let stage = try WeChatStage()
        stage.hasNoUser()
        stage.tenant.server.answer(Path.register, .refusal("IDAAS.SDK.SMS.1005"))
        let outcome = await stage.weChat.logIn(
            via: stage.router, stage.allowing(), page: Endless(), slider: ScriptedSlider(.closed))
        #expect(outcome.legacyCode == "IDAAS.SDK.SMS.1005")
        #expect(stage.tenant.server.requests(to: Path.register).count == 100)
    }

    @Test
    func aCancelledLoginSendsNothingMore() async throws {
        struct Waiting: BindPhonePresenter {
            let gate: Gate
            func action(on page: BindPhonePage) async -> BindPhoneAction {
                await gate.pass()
                return .confirm(mobile: "+86-13800000000", code: "1")
            }
        }
        let stage = try WeChatStage(), gate = Gate(), app = stage.allowing()
        stage.hasNoUser()
        let task = Task {
            await stage.weChat.logIn(via: stage.router, app, page: Waiting(gate: gate), slider: ScriptedSlider(.closed))
        }
        #expect(await settles { gate.waitingCount == 1 })
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
        #expect(stage.tenant.server.requests(to: Path.register).isEmpty)
    }
}
