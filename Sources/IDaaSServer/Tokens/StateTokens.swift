#if IDaaS
internal import JWTCore
internal import JWTSigning
internal import Secrets

/// Tokens that carry a login from one step to the next. Signed with a key of their own that nobody publishes: none is an id_token, and
/// no verifier of id_tokens takes one.
package struct StateTokens: Sendable {
    private let key: Concealed<[UInt8]>
    private let lifetime: Int
    private let clock: any ServerClock
    private let randomness: Randomness

    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        case bindWeChat = "wechat-bind"
        case registerWeChat = "wechat-register"
        case secondFactor = "mfa"
    }

    init(serverKey: ServerKey, lifetime: Int, clock: any ServerClock, randomness: Randomness) {
        key = serverKey.state
        self.lifetime = lifetime
        self.clock = clock
        self.randomness = randomness
    }

    /// A token for the next step of `caller`.
    package func mint(_ purpose: Purpose, for caller: Caller) throws -> String {
        let tokenID = String(decoding: Base64URL.encode(randomness.bytes(16)), as: UTF8.self)
        let claims: [(String, String)] = [
            ("jti", JSONText.quoted(tokenID)), ("typ", "\"state\""), ("purpose", JSONText.quoted(purpose.rawValue)),
            ("client_id", JSONText.quoted(caller.client.id)), ("device_fp_hash", JSONText.quoted(caller.device.hexadecimal)),
            ("exp", "\((clock.now + lifetime).seconds)"),
        ]
        let payload = "{\(claims.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
        guard let key = SigningKey.secret(key.value, algorithm: .hs256),
            let token = TokenSigner(key).token(payload: payload, type: "state+jwt")
        else { throw KeyFailure.cryptography }
        return token
    }
}
#endif
