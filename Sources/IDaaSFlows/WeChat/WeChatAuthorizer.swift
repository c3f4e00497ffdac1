/// Asks WeChat for an authorisation: opens the WeChat app through its SDK. The answer comes to the program as a callback, which goes to
/// ``WeChatCallbackRouter``.
public protocol WeChatAuthorizer: Sendable {
    /// Returns when the request is on its way.
    ///
    /// - Throws: `notInstalled`, `unsupported`, `sendingFailed` or `common`.
    func open(_ request: WeChatRequest) async throws(WeChatFailure)
}

/// A request for authorisation.
public struct WeChatRequest: Hashable, Sendable {
    public let application: WeChatApplication
    public let scope: String
    /// 190 random bits. A callback with another state starts nothing.
    public let state: String
}
