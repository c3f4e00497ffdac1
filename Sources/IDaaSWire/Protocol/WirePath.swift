/// The protocol's paths, below the tenant's origin.
package enum WirePath {
    /// The path of an issuer's URL.
    package static let issuer = "/api/v1/oauth2"
    package static let discovery = "/api/v1/oauth2/.well-known/openid-configuration"
    package static let keys = "/api/v1/oauth2/keys"

    /// A status list; `{id}` is the path template.
    package static func statusList(_ id: String = "{id}") -> String { "/status-lists/\(id)" }

    package static let serverDate = "/api/v2/sdk/server-date"
    package static let publicKey = "/api/v2/sdk/public-key"
    package static let areaCodes = "/api/v2/sdk/country-codes"

    package static let captcha = "/api/v2/sdk/captcha"
    package static let captchaCheck = "/api/v2/sdk/captcha/verify"
    package static let smsSend = "/api/v2/sdk/sms/send"
    package static let smsLogin = "/api/v2/sdk/login/mobile-verify-code"

    package static let refresh = "/api/v2/sdk/sso/session-token/id-token"
    package static let signedRefresh = "/api/v2/sdk/session-token/refresh-id-token"
    package static let wechatLogin = "/api/v2/sdk/login/wechat"
    package static let socialBind = "/api/v2/sdk/social/bind"
    package static let socialRegister = "/api/v2/sdk/social/register-bind"
    package static let oneClickLogin = "/api/v2/sdk/login/aliyun-mobile-auth"
    package static let passwordLogin = "/api/v2/sdk/login"
    package static let secondFactorSMS = "/api/v2/sdk/mfa/sms"
    package static let logout = "/api/v2/sdk/logout"
    package static let sessions = "/api/v2/sdk/sessions"

    /// One of the user's sessions; `{id}` is the path template.
    package static func session(_ id: String = "{id}") -> String { "\(sessions)/\(id)" }

    // Biometric second factor: the phone
    package static let bioDevice = "/api/v2/sdk/mfa/bio/device"
    package static let bioChallenge = "/api/v2/sdk/mfa/bio/device/challenge"
    package static let bioUnbind = "/api/v2/sdk/mfa/bio/device/unbind"
    package static let bioPending = "/api/v2/sdk/mfa/bio/pending"
    package static let bioRespond = "/api/v2/sdk/mfa/bio/respond"
    // Biometric second factor: the PC
    package static let bioInitiate = "/api/v2/sdk/mfa/bio/initiate"
    package static let bioPoll = "/api/v2/sdk/mfa/bio/poll"

    // Authorization code flow
    package static let authorization = "/api/v1/oauth2/authorize"
    /// Where the login page exchanges its session for the redirect back to the application.
    package static let authorizationEnd = "/api/v1/oauth2/authorize/complete"
    package static let token = "/api/v1/oauth2/token"
    package static let registration = "/api/v1/oauth2/register"
    /// RFC 8414 section 3.1: the well-known path, and the issuer's path behind it. Clients of the first revisions of MCP ask for it without.
    package static let serverMetadata = "/.well-known/oauth-authorization-server/api/v1/oauth2"
    package static let rootServerMetadata = "/.well-known/oauth-authorization-server"
    package static let userInfo = "/api/v1/oauth2/userinfo"
    package static let endSession = "/api/v1/logout"
}
