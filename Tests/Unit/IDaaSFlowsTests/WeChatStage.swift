import IDaaSFlows
import IDaaSWire
import JWKSTestSupport
import JWTTestSupport

/// A tenant, an application that is registered at WeChat, and a WeChat app that answers as scripted.
struct WeChatStage: Sendable {
    static let appID = "wx0123456789abcdef"
    static let universalLink = "https://app.example/link/"

    let tenant: Tenant
    let router: WeChatCallbackRouter

    init(store: any SessionStore = MemorySessionStore()) throws {
        tenant = try Tenant(store: store)
        router = WeChatCallbackRouter(try WeChatApplication(id: Self.appID, universalLink: Self.universalLink))
        tenant.server.answer(Path.weChatLogin, Tenant.tokens())
    }

    var weChat: WeChatLogin { tenant.flows.weChat }

    /// A URL with which WeChat opens the program.
    static func url(code: String = "c-1", state: String) -> String { "\(appID)://oauth?code=\(code)&state=\(state)" }

    /// A WeChat app that opens the program with this URL; nil: it does not answer.
    func app(_ url: @escaping @Sendable (WeChatRequest) -> String?) -> ScriptedWeChat { ScriptedWeChat(router, url) }

    /// A WeChat app in which the user allows the login.
    func allowing(code: String = "c-1") -> ScriptedWeChat { app { Self.url(code: code, state: $0.state) } }

    func authorize(_ url: @escaping @Sendable (WeChatRequest) -> String?) async -> WeChatAuthorizationOutcome {
        await weChat.authorize(via: router, app(url))
    }

    /// The slider and the sending of the page work.
    func sendsSMS() {
        tenant.server.answer(Path.captcha, .json(SliderTests.picture.replacing("KEY", with: "null")))
        tenant.server.answer(Path.verify, .json(#"{"captcha_token":"c-1"}"#))
        tenant.server.answer(Path.send, .json(""))
    }

    /// The server answers that the account has no user.
    func hasNoUser(_ kind: BindingStep.Kind = .register) {
        tenant.server.answer(
            Path.weChatLogin,
            .json(#"{"state_token":"st-1","data":"{\"socialBindOrRegisterFlow\":[\"VERIFY_PHONE\"]}","status":"\#(kind.rawValue)"}"#))
        tenant.server.answer(kind == .register ? Path.register : Path.bind, Tenant.tokens())
    }

    func logIn(_ page: ScriptedPage, slider: ScriptedSlider = ScriptedSlider(.point(SliderPoint(x: 9)))) async -> WeChatLoginOutcome {
        await weChat.logIn(via: router, allowing(), page: page, slider: slider)
    }
}

/// Answers authorisation requests as scripted, and records them.
final class ScriptedWeChat: WeChatAuthorizer {
    private let router: WeChatCallbackRouter
    private let url: @Sendable (WeChatRequest) -> String?
    private let failure: WeChatFailure?
    private let opened = Guarded([WeChatRequest]())

    init(
        _ router: WeChatCallbackRouter, failing failure: WeChatFailure? = nil,
        _ url: @escaping @Sendable (WeChatRequest) -> String? = { _ in nil }
    ) {
        self.router = router
        self.failure = failure
        self.url = url
    }

    var requests: [WeChatRequest] { opened.withLock { $0 } }

    func open(_ request: WeChatRequest) async throws(WeChatFailure) {
        opened.withLock { $0.append(request) }
        if let failure { throw failure }
        if let url = url(request) { router.handle(url: url) }
    }
}
