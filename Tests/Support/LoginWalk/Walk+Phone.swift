internal import Foundation
internal import IDaaSFlows
internal import IDaaSWire
internal import LoginSupport

/// The logins of a phone: through WeChat and with one click. The server simulates the WeChat app and the carrier.
extension Walk {
    func weChat() async throws {
        let router = WeChatCallbackRouter(try WeChatApplication(id: "wx0000000000000000", universalLink: "https://app.example/"))
        let app = try SimulatedWeChat(domain, transport: environment.transport, user: "walker \(mobile)", router: router)
        // Another number than that of the SMS login: a number gets one SMS a minute.
        let page = OutboxPage(outbox: outbox, mobile: "+86-139" + mobile.suffix(8))
        let first = try await step("WeChat: authorised; a new account registers its number") {
            try await flows.weChat.logIn(via: router, app, page: page, slider: SolvingPresenter()).get()
        }
        let user = try await verified(first)
        guard user.mobile == page.mobile else { throw Wrong("the token is of \(user.mobile ?? "nobody")") }
        let second = try await step("WeChat: the same account logs in again") {
            try await flows.weChat.logIn(via: router, app, page: page, slider: SolvingPresenter()).get()
        }
        guard try await verified(second).id == user.id else { throw Wrong("WeChat has two users") }
    }

    func oneClick() async throws {
        let phone = SimulatedPhone([SimulatedSIM(.mobile, mobile: mobile)])
        let sdk = try SimulatedCarrier(domain, transport: environment.transport, bundleID: "example.assay", phone: phone)
        let session = try await step("one click: number fetched, consent, token exchanged") {
            let outcome = await flows.oneClick.logIn(via: CarrierLogin(sdk), on: AgreeingPage())
            guard case .loggedIn(let session) = outcome else { throw Wrong("one click ended with \(outcome.legacyCode)") }
            return session
        }
        let user = try await verified(session)
        guard user.mobile == mobile else { throw Wrong("the token is of \(user.mobile ?? "nobody")") }
    }

    private func verified(_ session: Session) async throws -> UserInfo {
        try await step("  its id_token verified") { try await flows.identity.userInfo(of: session.idToken).get() }
    }
}

/// Types a number, and its code from the outbox.
private struct OutboxPage: BindPhonePresenter {
    let outbox: Outbox
    let mobile: String

    func action(on page: BindPhonePage) async -> BindPhoneAction {
        guard page.mistake == nil else { return .back }
        guard page.sent != nil else { return .sendCode(mobile: mobile) }
        guard let code = try? await outbox.code(for: mobile) else { return .back }
        return .confirm(mobile: mobile, code: code)
    }
}

/// Sets the check box and logs in.
private struct AgreeingPage: OneClickPresenter {
    func action(on screen: OneClickScreen) async -> OneClickAction { screen.isConsented ? .logIn : .consent(true) }
}
