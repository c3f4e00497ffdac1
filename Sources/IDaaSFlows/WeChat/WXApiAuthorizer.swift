#if canImport(WechatOpenSDK)
public import Foundation
internal import WechatOpenSDK

/// Opens the WeChat app through its SDK. Linux has no such SDK: this file is compiled there against stubs, and not run.
@MainActor
public final class WXApiAuthorizer: WeChatAuthorizer {
    private let answers: Answers

    /// Registers the router's application with the SDK.
    ///
    /// - Throws: ``FlowError`` of reason `configuration` if the SDK refuses it.
    public init(_ router: WeChatCallbackRouter) throws(FlowError) {
        answers = Answers(router)
        guard WXApi.registerApp(router.application.id, universalLink: router.application.universalLink) else {
            throw FlowError(.configuration("the WeChat SDK refuses the AppID or the Universal Link"))
        }
    }

    public func open(_ request: WeChatRequest) async throws(WeChatFailure) {
        guard WXApi.isWXAppInstalled() else { throw .notInstalled }
        guard WXApi.isWXAppSupport() else { throw .unsupported }
        guard await send(request) else { throw .sendingFailed }
    }

    /// Passes a URL with which the program was opened to the SDK, which passes WeChat's answer to the router. For answers that are not in the
    /// URL itself; otherwise ``WeChatCallbackRouter/handle(url:)`` is enough.
    @discardableResult
    public func handle(_ url: URL) -> Bool { WXApi.handleOpen(url, delegate: answers) }

    private func send(_ request: WeChatRequest) async -> Bool {
        await withCheckedContinuation { continuation in
            let message = SendAuthReq()
            message.scope = request.scope
            message.state = request.state
            WXApi.send(message) { continuation.resume(returning: $0) }
        }
    }

    private final class Answers: NSObject, WXApiDelegate {
        private let router: WeChatCallbackRouter

        init(_ router: WeChatCallbackRouter) { self.router = router }

        func onReq(_ req: BaseReq) {}

        func onResp(_ resp: BaseResp) {
            guard let answer = resp as? SendAuthResp else { return }
            router.handle(WeChatResponse(errorCode: Int(answer.errCode), code: answer.code, state: answer.state))
        }
    }
}
#endif
