/// Exchanges a code of the WeChat app for the person's ids.
package protocol WeChatAuthorization: Sendable {
    func identity(of code: String, for account: WeChatAccount) async throws(UpstreamFailure) -> WeChatIdentity
}

/// The application's account on WeChat's open platform, opened for one call.
package struct WeChatAccount: Sendable, CustomStringConvertible {
    package let appID: String
    package let secret: String

    package var description: String { appID }
}

/// A person on WeChat.
package struct WeChatIdentity: Hashable, Sendable, Codable {
    /// Unique in the application.
    package let openID: String
    /// Unique in the platform account of several applications; nil where WeChat gives none.
    package let unionID: String?
}

extension WeChatIdentity {
    static let provider = "wechat"

    /// The keys of this person's account, the platform's first. Either finds the user.
    func keys(_ source: WeChatSource) -> [SocialAccount.Key] {
        let platform = source.platform.isEmpty ? source.appID : source.platform
        var keys: [SocialAccount.Key] = []
        if let unionID { keys.append(SocialAccount.Key(provider: Self.provider, scope: "platform \(platform)", subject: unionID)) }
        keys.append(SocialAccount.Key(provider: Self.provider, scope: "app \(source.appID)", subject: openID))
        return keys
    }
}
