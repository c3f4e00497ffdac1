/// The application that a client is on WeChat's open platform.
package struct WeChatSource: Hashable, Sendable, Codable {
    /// AppID.
    package var appID: String
    /// AppSecret, sealed under the server's key. It never leaves the server.
    package var sealedSecret: [UInt8]
    /// Names the open platform account, in which a unionid is unique. Clients of one account share their users. Empty: the AppID.
    package var platform = ""
    /// Send new WeChat users to registration instead of to binding ("login as registration for new WeChat users").
    package var registersNewUsers = true
    /// Let a user have several WeChat accounts.
    package var allowsSeveralAccounts = false
}

/// The account at Aliyun that exchanges a carrier's tokens for numbers.
package struct OneClickSource: Hashable, Sendable, Codable {
    package var accessKeyID: String
    /// AccessKeySecret, sealed under the server's key.
    package var sealedSecret: [UInt8]
}

/// When a password login asks for a second factor, and how a phone confirms it.
package struct SecondFactorPolicy: Hashable, Sendable, Codable {
    package var demand = Demand.never
    /// The client of the phone's app. Empty: this client itself.
    package var authenticator = ""
    /// Show a number on the PC that the phone's user has to type.
    package var matchesNumbers = true
    /// Accept a phone that verified its user by the passcode of the lock screen.
    package var allowsPasscode = true
    /// Refuse signatures of the challenge alone, from every phone.
    package var requiresStatements = false

    package enum Demand: String, Hashable, Sendable, Codable, CaseIterable {
        case never
        /// From users with a bound phone.
        case whenBound
        case always
    }

    package init() {}
}

/// A web application that uses the authorization code flow.
package struct WebApplication: Hashable, Sendable, Codable {
    /// These `redirect_uri` are allowed, byte for byte; on loopback a registered client may use any port (RFC 8252 section 7.3).
    package var redirectURIs: [String]
    /// Exactly these `post_logout_redirect_uri` are allowed.
    package var logoutRedirectURIs: [String] = []
    /// SHA-256 of the client's secret; nil: a public client, which proves itself by PKCE alone.
    package var secretDigest: [UInt8]?
    /// Of a client that registered itself; nil for one of an administrator.
    package var registration: ClientRegistration?

    /// Whether an authorization request may name this `redirect_uri`.
    func allows(_ address: String) -> Bool {
        redirectURIs.contains {
            RedirectAddress.isSame(address, $0) || registration != nil && RedirectAddress.isOnLoopback(address, like: $0)
        }
    }
}
