package import HTTPGuard
internal import JWKSCache
internal import JWTCore

/// WeChat's open platform (`sns/oauth2`) over HTTP.
///
/// The secret and the code travel in a query, as WeChat wants it, so no URL of this client may be logged. A failure names WeChat's code alone.
package struct WeChatClient: WeChatAuthorization {
    private let client: GuardedClient
    private let base: String

    /// - Parameter base: `https://api.weixin.qq.com`, or a simulator.
    package init(base: String, client: GuardedClient) {
        self.base = base
        self.client = client
    }

    package func identity(of code: String, for account: WeChatAccount) async throws(UpstreamFailure) -> WeChatIdentity {
        let query = [
            ("appid", account.appID), ("secret", account.secret), ("code", code), ("grant_type", "authorization_code"),
        ]
        let token = try await answer("/sns/oauth2/access_token", query)
        guard let openID = token["openid"] else { throw UpstreamFailure(.unavailable, "no_openid") }
        if let unionID = token["unionid"] { return WeChatIdentity(openID: openID, unionID: unionID) }
        // Older scopes name the unionid only here. Without one the person is known by the openid.
        guard let access = token["access_token"], token["scope"]?.contains("snsapi_userinfo") == true,
            let profile = try? await answer("/sns/userinfo", [("access_token", access), ("openid", openID)])
        else { return WeChatIdentity(openID: openID, unionID: nil) }
        return WeChatIdentity(openID: openID, unionID: profile["unionid"])
    }

    /// The text members of an answer.
    private func answer(_ path: String, _ query: [(String, String)]) async throws(UpstreamFailure) -> [String: String] {
        let url = base + path + "?" + query.map { "\($0.0)=\(PercentEncoding.strict($0.1))" }.joined(separator: "&")
        let response: ReceivedResponse
        do {
            response = try await client.send(OutgoingRequest(url: url))
        } catch {
            throw UpstreamFailure(.unavailable, error.reason.rawValue, neverArrived: error.neverArrived)
        }
        guard response.status == 200 else { throw UpstreamFailure(.unavailable, "status_\(response.status)") }
        guard let document = try? ParsedJSON(response.body), document.root.isObject else {
            throw UpstreamFailure(.unavailable, "not_json")
        }
        if let code = document.root["errcode"]?.number?.double, code != 0 {
            let number = Int(exactly: code) ?? -1
            throw UpstreamFailure(Self.codesOfCodes.contains(number) ? .refusedSecret : .unavailable, "errcode_\(number)")
        }
        let names = ["openid", "unionid", "access_token", "scope"]
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in document.root.string(name).map { (name, $0) } })
            .filter { !$0.value.isEmpty }
    }

    /// Invalid, used and expired codes.
    private static let codesOfCodes: Set<Int> = [40029, 40163, 42003, 41008]
}
