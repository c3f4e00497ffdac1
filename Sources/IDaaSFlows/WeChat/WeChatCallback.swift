internal import JWTCore

/// What WeChat answered to an authorisation request. It proves nothing until its state is compared.
struct WeChatCallback: Hashable, Sendable {
    let state: String?
    let answer: Answer

    enum Answer: Hashable, Sendable {
        case code(String)
        /// The user denied, or left the page.
        case cancelled
        case failure(WeChatFailure)
        /// A parameter stands twice, or the code is no code.
        case malformed
    }

    /// None came in time.
    init(late: Void) {
        state = nil
        answer = .failure(.stateExpired)
    }

    init(_ response: WeChatResponse) {
        state = response.state.flatMap { $0.isEmpty ? nil : $0 }
        switch WeChatFailure(errorCode: response.errorCode) {
        case .cancelled?, .denied?: answer = .cancelled
        case let failure?: answer = .failure(failure)
        case nil: answer = Self.answer(code: response.code)
        }
    }

    /// Reads `{AppID}://oauth?code=…&state=…` and `{Universal Link}/{AppID}/oauth?code=…&state=…`.
    ///
    /// - Returns: nil for a URL that is no login callback for this application.
    init?(url: String, of application: WeChatApplication) {
        guard url.utf8.count <= Self.longestURL, let parts = URLText(url), !parts.hasUser,
            Self.isScheme(parts, of: application) || Self.isUniversalLink(parts, of: application)
        else { return nil }
        let items = parts.queryItems
        let codes = items.filter { $0.name == "code" }, states = items.filter { $0.name == "state" }
        state = states.count == 1 ? states[0].value.flatMap { $0.isEmpty ? nil : $0 } : nil
        answer = codes.count > 1 || states.count > 1 ? .malformed : Self.answer(code: codes.first?.value)
    }

    /// WeChat writes a denial as the code `authdeny`, or as no code.
    private static func answer(code: String?) -> Answer {
        guard let code, !code.isEmpty, code != "authdeny" else { return .cancelled }
        guard code.utf8.count <= longestCode, code.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return .malformed }
        return .code(code)
    }

    private static func isScheme(_ url: URLText, of application: WeChatApplication) -> Bool {
        url.scheme == application.id.lowercased() && url.host == "oauth" && url.port == nil && ["", "/"].contains(url.path)
    }

    private static func isUniversalLink(_ url: URLText, of application: WeChatApplication) -> Bool {
        guard let link = URLText(application.universalLink) else { return false }
        let path = link.path.hasSuffix("/") ? String(link.path.dropLast()) : link.path
        return url.scheme == "https" && url.host == link.host && url.port == link.port
            && url.path == "\(path)/\(application.id)/oauth"
    }

    private static let longestURL = 4_096
    static let longestCode = 512
}

/// The answer of the WeChat SDK, `SendAuthResp`, for programs that get it from `WXApi` instead of a URL.
public struct WeChatResponse: Hashable, Sendable {
    /// `errCode`: 0, or -1 to -5.
    public let errorCode: Int
    public let code: String?
    public let state: String?

    public init(errorCode: Int, code: String?, state: String?) {
        self.errorCode = errorCode
        self.code = code
        self.state = state
    }
}
