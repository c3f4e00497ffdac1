internal import IDaaSWire
internal import JWTCore
internal import Locks

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Login through WeChat in one call, under the names of the vendor's SDK.
///
/// ``use(authorizer:page:)`` is the only addition: it passes the parts that the vendor's SDK includes.
public final class BCWechatManager: Sendable {
    private struct Settings {
        var router: Result<WeChatCallbackRouter, FlowError> = .failure(isNotRegistered)
        var authorizer: (any WeChatAuthorizer)?
        var page: (any BindPhonePresenter)?
    }

    private static let shared = BCWechatManager()
    private let settings = Locked(Settings())

    public static func sharedInstance() -> BCWechatManager { shared }

    /// An AppID or a Universal Link that cannot work makes each login call back with `1`.
    @discardableResult
    public func registWechatAppid(_ wechatAppID: String, andUniversalLink universallink: String) -> BCWechatManager {
        let router: Result<WeChatCallbackRouter, FlowError>
        do throws(FlowError) {
            router = .success(WeChatCallbackRouter(try WeChatApplication(id: wechatAppID, universalLink: universallink)))
        } catch {
            router = .failure(error)
        }
        settings.withLock { $0.router = router }
        return self
    }

    /// - Parameters:
    ///   - authorizer: opens the WeChat app.
    ///   - page: shows the page for binding or registration.
    @discardableResult
    public func use(authorizer: any WeChatAuthorizer, page: any BindPhonePresenter) -> BCWechatManager {
        settings.withLock {
            $0.authorizer = authorizer
            $0.page = page
        }
        return self
    }

    /// - Returns: whether the URL is WeChat's answer to a login of this application.
    @discardableResult
    public func oauthHandleOpenURL(_ url: URL) -> Bool { (try? router())?.handle(url: url.absoluteString) ?? false }

    /// - Returns: whether the activity is WeChat's answer to a login of this application.
    @discardableResult
    public func handleUniversalLink(_ userActivity: some WebpageActivity) -> Bool {
        guard userActivity.activityType == "NSUserActivityTypeBrowsingWeb", let url = userActivity.webpageURL else { return false }
        return oauthHandleOpenURL(url)
    }

    /// Calls back with `0` and a dictionary of `session_token` and `id_token`; otherwise with `102` (cancelled or denied), `103` (WeChat
    /// failed), `104` (back on the page), the server's code or `1`, and a text.
    public func loginByWechatWithSuccessHandler(_ completionHandler: @escaping BCWechatCompletionHandler) {
        let manager = BCIDACommonManager.sharedInstance()
        manager.run(completionHandler) { [self] flows throws(FlowError) in
            let router = try router(), slider = try manager.slider()
            let (authorizer, page) = settings.withLock { ($0.authorizer, $0.page) }
            guard let authorizer, let page else { throw Self.hasNoParts }
            let outcome = await flows.weChat.logIn(
                via: router, authorizer, page: page, theme: BCIDABindPhoneThemeManager.sharedInstance().theme, slider: slider)
            switch outcome {
            case .loggedIn(let session): return (outcome.legacyCode, .dictionary(session.legacyTokens))
            case .cancelled, .backPressed: return (outcome.legacyCode, .text(FlowError(.cancelled).text(in: flows.configuration.language)))
            case .other(let status, _): return (outcome.legacyCode, .text(status))
            case .refused, .failed: return outcome.refusal(flows)
            }
        }
    }

    private func router() throws(FlowError) -> WeChatCallbackRouter { try settings.withLock { $0.router }.get() }

    private static let isNotRegistered = FlowError(.configuration("call registWechatAppid(_:andUniversalLink:) first"))
    private static let hasNoParts = FlowError(.configuration("call BCWechatManager.use(authorizer:page:) first"))
}

/// What the system says about a Universal Link with which it opens the program: `NSUserActivity`.
public protocol WebpageActivity {
    /// `NSUserActivityTypeBrowsingWeb`
    var activityType: String { get }
    var webpageURL: URL? { get }
}

#if canImport(ObjectiveC)
extension NSUserActivity: WebpageActivity {}
#endif
