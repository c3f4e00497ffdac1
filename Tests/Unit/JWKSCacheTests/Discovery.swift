import JWKSCache
import JWKSTestSupport

/// An issuer with metadata: its addresses, its documents, and keys found through them.
enum Discovery {
    static let issuer = "https://idp.example"
    static let openID = "\(issuer)/.well-known/openid-configuration"
    static let oauth = "\(issuer)/.well-known/oauth-authorization-server"
    static let keys = "\(issuer)/jwks"

    static func metadata(issuer: String = issuer, keys: String = keys) -> String { "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(keys)\"}" }

    /// Key 0 of the pool, fetched by two requests, with an entity tag.
    static func loaded() async -> ObservedKeys {
        let transport = ScriptedTransport()
        transport.answer(openID, metadata())
        transport.answer(keys, KeyPool.set(0), fields: [HeaderField("ETag", "\"1\"")])
        let observed = ObservedKeys([.issuer(issuer)], transport: transport)
        _ = await settles { observed.log.words.count == 2 }
        return observed
    }
}
