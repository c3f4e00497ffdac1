/// Typed and versioned, stored as JSON: an absent member has its default, so that old records stay readable.
package struct ClientSettings: Hashable, Sendable, Codable {
    package var version = 1
    /// Allow login by SMS code.
    package var sms = true
    /// Create a user for an unknown number. When off, an unknown number gets the same answers, and no message.
    package var registersUnknownNumbers = true
    /// Answer COMMON.1013 at login for an unknown number, if no user is created for it.
    package var revealsUnknownNumbers = false
    /// Issue a new session token at each refresh.
    package var rotatesSessionTokens = true
    /// Use AJ-Captcha's `token---point` instead of an opaque captcha token; the server stores both.
    package var compatibleCaptchaToken = false
    /// Use MGF1 with SHA-1 in `X-signature`, as SunJCE does, instead of SHA-256.
    package var signatureMaskSHA1 = false

    /// Log in with a WeChat account; nil: no such source.
    package var wechat: WeChatSource?
    /// Log in with the number that a carrier confirms; nil: no such source.
    package var oneClick: OneClickSource?
    /// Allow login by password.
    package var password = false
    package var secondFactor = SecondFactorPolicy()
    /// The registered addresses of the authorization code flow; nil: the client does not use it.
    package var web: WebApplication?

    package init() {}

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(.version, &version)
        try read(.sms, &sms)
        try read(.registersUnknownNumbers, &registersUnknownNumbers)
        try read(.revealsUnknownNumbers, &revealsUnknownNumbers)
        try read(.rotatesSessionTokens, &rotatesSessionTokens)
        try read(.compatibleCaptchaToken, &compatibleCaptchaToken)
        try read(.signatureMaskSHA1, &signatureMaskSHA1)
        wechat = try values.decodeIfPresent(WeChatSource.self, forKey: .wechat)
        oneClick = try values.decodeIfPresent(OneClickSource.self, forKey: .oneClick)
        try read(.password, &password)
        try read(.secondFactor, &secondFactor)
        web = try values.decodeIfPresent(WebApplication.self, forKey: .web)
    }
}
