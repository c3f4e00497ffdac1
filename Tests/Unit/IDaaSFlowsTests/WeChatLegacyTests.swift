import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

/// Code written against the vendor's document on WeChat.
@Suite(TakesTurns()) struct WeChatLegacyTests {
    private let legacy = LegacyCalls()
    private let stage: WeChatStage
    static let mobile = "+86-13800000000"

    init() throws {
        stage = try WeChatStage()
        stage.sendsSMS()
        legacy.setUp(stage.tenant, ScriptedSlider(.point(SliderPoint(x: 9))))
        BCWechatManager.sharedInstance().registWechatAppid(WeChatStage.appID, andUniversalLink: WeChatStage.universalLink)
    }

    /// A WeChat app that opens the program through the documented method.
    private struct App: WeChatAuthorizer {
        let url: @Sendable (String) -> String?
        var usesUniversalLink = false

        func open(_ request: WeChatRequest) async throws(WeChatFailure) {
            guard let url = url(request.state).flatMap({ URL(string: $0) }) else { throw .sendingFailed }
            let manager = BCWechatManager.sharedInstance()
            let isTaken = usesUniversalLink ? manager.handleUniversalLink(Activity(webpageURL: url)) : manager.oauthHandleOpenURL(url)
            #expect(isTaken)
        }
    }

    private struct Activity: WebpageActivity {
        var activityType = "NSUserActivityTypeBrowsingWeb"
        let webpageURL: URL?
    }

    private func logIn(_ app: App, _ page: ScriptedPage = ScriptedPage()) async -> (String, LegacyData) {
        BCWechatManager.sharedInstance().use(authorizer: app, page: page)
        return await legacy.called { BCWechatManager.sharedInstance().loginByWechatWithSuccessHandler($0) }
    }

    private static let allowing = App { WeChatStage.url(state: $0) }

    @Test
    func aLoginInOneCallHasBothTokens() async {
        let link = App(
            url: { "https://app.example/link/wx0123456789abcdef/oauth?code=c-1&state=\($0)" }, usesUniversalLink: true)
        for app in [Self.allowing, link] {
            let (code, data) = await logIn(app)
            #expect(code == "0" && data.asAny as? [String: String] == ["session_token": "s-1", "id_token": Tenant.usualToken])
        }
    }

    static let failures: [(@Sendable (String) -> String?, String)] = [
        ({ "\(WeChatStage.appID)://oauth?code=authdeny&state=\($0)" }, "102"), ({ "\(WeChatStage.appID)://oauth?state=\($0)" }, "102"),
        ({ _ in nil }, "103"), ({ _ in WeChatStage.url(state: "foreign") }, "103"),
    ]

    @Test(arguments: failures.indices)
    func aDenialIs102AndAFailureOfWeChatIs103(_ index: Int) async {
        let (code, data) = await logIn(App(url: Self.failures[index].0))
        #expect(code == Self.failures[index].1)
        guard case .text(let text) = data else {
            Issue.record("the reply is no text")
            return
        }
        #expect(!text.isEmpty && stage.tenant.server.requests(to: Path.weChatLogin).isEmpty)
    }

    @Test
    func backOnThePageIs104() async {
        stage.hasNoUser(.bind)
        #expect(await logIn(Self.allowing, ScriptedPage(.back)) == ("104", .text("Cancelled")))
    }

    @Test
    func theServersCodeAnd1AreTheFailuresOfTheLogin() async {
        stage.tenant.server.answer(Path.weChatLogin, .refusal("IDAAS.SDK.LOGIN.1006"))
        #expect(
            await logIn(Self.allowing) == (
                "IDAAS.SDK.LOGIN.1006", .text("Configuration error, unable to find wechat authentication source")
            ))
        stage.tenant.server.answer(Path.weChatLogin, .unreachable)
        #expect(await logIn(Self.allowing).0 == "1")
        stage.tenant.server.answer(Path.weChatLogin, .json(#"{"status":"ACCESS_DENIED"}"#))
        #expect(await logIn(Self.allowing) == ("1", .text("ACCESS_DENIED")))
    }

    @Test
    func thePageOfOneCallHasTheThemeThatWasSet() async {
        let settings = BCWechatBindPhoneViewCustomSetting(), page = ScriptedPage(.back)
        settings.confirmButtonBindText = "Bind me"
        BCIDABindPhoneThemeManager.sharedInstance().setBindPhoneTheme(settings)
        stage.hasNoUser(.bind)
        _ = await logIn(Self.allowing, page)
        #expect(page.shown.first?.style.confirmText == "Bind me")
        BCIDABindPhoneThemeManager.sharedInstance().setBindPhoneTheme(BCWechatBindPhoneViewCustomSetting())
    }

    @Test
    func anUnregisteredApplicationIs1AndTakesNoURL() async throws {
        BCWechatManager.sharedInstance().registWechatAppid("wx_bad", andUniversalLink: WeChatStage.universalLink)
        #expect(await logIn(Self.allowing).0 == "1")
        #expect(!BCWechatManager.sharedInstance().oauthHandleOpenURL(try #require(URL(string: WeChatStage.url(state: "s")))))
    }

    @Test
    func whatIsNoCallbackOfWeChatIsNotTaken() throws {
        let manager = BCWechatManager.sharedInstance()
        #expect(!manager.oauthHandleOpenURL(try #require(URL(string: "other://oauth?code=c&state=s"))))
        #expect(!manager.handleUniversalLink(Activity(webpageURL: nil)))
        let url = URL(string: "https://app.example/link/wx0123456789abcdef/oauth?code=c-1&state=s")
        #expect(!manager.handleUniversalLink(Activity(activityType: "search", webpageURL: url)))
    }

    @Test
    func aLoginByCodeHasTheRepliesOfTheDocument() async throws {
        let call = { BCWechatApiLoginManager.sharedInstance().loginWechatByCode("c-1", andWithCallBack: $0) }
        var (code, data) = await legacy.called(call)
        var reply = try #require(data.asAny as? [String: Any])
        #expect(code == "0" && reply["session_token"] as? String == "s-1" && reply["id_token"] as? String == Tenant.usualToken)
        #expect(reply["expire"] as? Int64 == 604_800 && reply["status"] as? String == "SUCCESS")
        for kind in BindingStep.Kind.allCases {
            stage.hasNoUser(kind)
            (code, data) = await legacy.called(call)
            reply = try #require(data.asAny as? [String: Any])
            #expect(code == "101" && reply["state_token"] as? String == "st-1" && reply["status"] as? String == kind.rawValue)
            #expect(reply["data"] as? String == #"{"socialBindOrRegisterFlow":["VERIFY_PHONE"]}"#)
        }
        stage.tenant.server.answer(
            Path.weChatLogin, .refusal("IDAAS.SDK.COMMON.1001", "Parameter X-client-id cannot be left blank."))
        (code, data) = await legacy.called(call)
        #expect(code == "1")
        #expect(
            data.asAny as? [String: String] == [
                "error_code": "IDAAS.SDK.COMMON.1001", "error_msg": "Parameter X-client-id cannot be left blank.",
            ])
        stage.tenant.server.answer(Path.weChatLogin, .unreachable)
        (code, data) = await legacy.called(call)
        guard case .text = data else {
            Issue.record("the reply is no text")
            return
        }
        #expect(code == "1")
    }

    @Test
    func theSliderIsAloneAndItsTokenSendsTheSMS() async {
        let slide = { BCWechatSlideVerifyCodeManager.startSlidingVerifyCodePageWithMobileNumber("13800000000", andWithResultHandler: $0) }
        #expect(await legacy.called(slide) == ("0", .text("c-1")))
        #expect(stage.tenant.server.requests(to: Path.send).isEmpty)
        legacy.setUp(stage.tenant, ScriptedSlider(.closed))
        #expect(await legacy.called(slide) == ("105", .text("User closed")))
        stage.tenant.server.answer(Path.captcha, .refusal("IDAAS.SDK.SMS.1001"))
        #expect(await legacy.called(slide).0 == "IDAAS.SDK.SMS.1001")
    }

    private func sent(_ type: wechatSlideSMSSendType) async -> (String, LegacyData) {
        await legacy.called {
            BCWechatSlideVerifyCodeManager.sendSMSWithSlideResultWithToken(
                "c-1", andMobile: Self.mobile, andWithType: type, andWithCallBack: $0)
        }
    }

    @Test(arguments: [
        (BindingStep.Kind.register, wechatSlideSMSSendType.wechatSlideSMSRegist, "REGISTER_SMS"),
        (.bind, .wechatSlideSMSBind, "BIND_MOBILE_SMS"),
    ])
    func anSMSHasTheTypeOfTheLoginsStatus(_ kind: BindingStep.Kind, type: wechatSlideSMSSendType, purpose: String) async throws {
        stage.hasNoUser(kind)
        _ = await legacy.called { BCWechatApiLoginManager.sharedInstance().loginWechatByCode("c-1", andWithCallBack: $0) }
        #expect(await sent(type) == ("0", .text("success")))
        let request = try #require(stage.tenant.server.requests(to: Path.send).first)
        #expect(request.body("type") == purpose && request.body("captcha_token") == "c-1" && request.first("X-state-token") == "st-1")
        let other: wechatSlideSMSSendType = type == .wechatSlideSMSBind ? .wechatSlideSMSRegist : .wechatSlideSMSBind
        #expect(await sent(other).0 == "1")
        stage.tenant.server.answer(Path.send, .refusal("IDAAS.SDK.SMS.1004"))
        #expect(await sent(type).0 == "IDAAS.SDK.SMS.1004")
    }

    @Test
    func bindingAndRegistrationHaveTheRepliesOfTheDocument() async throws {
        let manager = BCWechatBindOrRegistManager.sharedInstance()
        let calls: [(String, (@escaping LegacyHandler) -> Void)] = [
            (
                Path.bind,
                {
                    manager.wechatBindWithMobile(
                        Self.mobile, andWithVerifyCode: "123456", andWithStateToken: "st-1", andWithCompletionHandler: $0)
                }
            ),
            (
                Path.register,
                {
                    manager.wechatRegistWithMobile(
                        Self.mobile, andWithVerifyCode: "123456", andWithStateToken: "st-1", andWithCompletionHandler: $0)
                }
            ),
        ]
        for (path, call) in calls {
            stage.tenant.server.answer(path, Tenant.tokens())
            let (code, data) = await legacy.called(call)
            let reply = try #require(data.asAny as? [String: Any])
            #expect(code == "0" && reply["session_token"] as? String == "s-1" && reply["id_token"] as? String == Tenant.usualToken)
            #expect(reply["expire"] as? Int64 == 604_800 && reply["status"] as? String == "SUCCESS")
            #expect(stage.tenant.server.requests(to: path).first?.first("X-state-token") == "st-1")
            stage.tenant.server.answer(path, .refusal("IDAAS.SDK.SOCIAL.1002"))
            #expect(
                await legacy.called(call) == ("IDAAS.SDK.SOCIAL.1002", .text("The social account has been bound, please unbind it first")))
            stage.tenant.server.answer(path, .unreachable)
            #expect(await legacy.called(call).0 == "1")
        }
    }
}
