internal import IDaaSWire
internal import Secrets

/// The WeChat app and WeChat's open platform: codes that work once within ten minutes.
actor WeChatSimulator {
    /// The AppSecret of every simulated application.
    static let secret = "simulated-app-secret"
    private static let lifetime = Duration.seconds(600)

    private struct Code {
        let appID: String
        let user: String
        let expires: Timestamp
        var isUsed = false
    }

    private let clock: any ServerClock
    private let randomness: Randomness
    private var codes: [String: Code] = [:]
    private var users: [String: (user: String, appID: String)] = [:]

    init(clock: any ServerClock, randomness: Randomness) {
        self.clock = clock
        self.randomness = randomness
    }

    /// A code for the authorised application.
    func code(for user: String, appID: String) -> String {
        let now = clock.now
        codes = codes.filter { now < $0.value.expires + Self.lifetime }
        let code = randomness.token(characters: 32, alphabet: .base62)
        codes[code] = Code(appID: appID, user: user, expires: now + Self.lifetime)
        return code
    }

    /// `sns/oauth2/access_token`, with WeChat's error codes.
    func accessToken(appID: String, secret: String, code: String, grantType: String) -> JSON {
        guard grantType == "authorization_code" else { return Self.error(40002, "invalid grant_type") }
        guard appID.hasPrefix("wx") else { return Self.error(40013, "invalid appid") }
        guard secret == Self.secret else { return Self.error(40125, "invalid appsecret") }
        guard !code.isEmpty else { return Self.error(41008, "missing code") }
        guard var known = codes[code], known.appID == appID, clock.now < known.expires else { return Self.error(40029, "invalid code") }
        guard !known.isUsed else { return Self.error(40163, "code been used") }
        known.isUsed = true
        codes[code] = known
        let token = randomness.token(characters: 48, alphabet: .base62)
        users[token] = (known.user, appID)
        return [
            "access_token": .string(token), "expires_in": 7_200,
            "refresh_token": .string(randomness.token(characters: 48, alphabet: .base62)),
            "openid": .string(Self.openID(of: known.user, appID)), "scope": "snsapi_userinfo",
            "unionid": .string(Self.unionID(of: known.user)),
        ]
    }

    /// `sns/userinfo`
    func userInfo(accessToken: String, openID: String) -> JSON {
        guard let (user, appID) = users[accessToken] else { return Self.error(40001, "invalid credential") }
        guard Self.openID(of: user, appID) == openID else { return Self.error(40003, "invalid openid") }
        return [
            "openid": .string(openID), "nickname": .string(user), "sex": 0, "province": "", "city": "", "country": "CN",
            "headimgurl": "", "privilege": .array([]), "unionid": .string(Self.unionID(of: user)),
        ]
    }

    static func error(_ code: Int, _ text: String) -> JSON { ["errcode": JSON(code), "errmsg": .string(text)] }

    static func openID(of user: String, _ appID: String) -> String { id("o", [appID, user]) }

    static func unionID(of user: String) -> String { id("u", [user]) }

    private static func id(_ prefix: String, _ parts: [String]) -> String {
        prefix + Base62.encode(Digest256.of(Array(parts.joined(separator: "\n").utf8)), characters: 27)
    }
}
