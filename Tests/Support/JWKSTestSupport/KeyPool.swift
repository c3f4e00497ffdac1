public import JWTCore
internal import JWTSigning
public import JWTTestSupport

/// Named keys, made once for a test run, and tokens signed with them.
public enum KeyPool {
    /// ES256 keys called `key-0`, `key-1`, …
    public static let forges = (0..<8).map { TokenForge(.es256, keyID: "key-\($0)") }

    /// A JWK Set of the keys at `places`.
    public static func set(_ places: Int...) -> String { set(places) }

    /// A JWK Set of the keys at `places`.
    public static func set(_ places: [Int]) -> String { document(places.map { forges[$0].jwk }) }

    /// A JWK Set of JWKs given as text.
    public static func document(_ jwks: [String]) -> String { "{\"keys\":[\(jwks.joined(separator: ","))]}" }

    /// A token under the key at `place`.
    public static func token(_ place: Int) -> String { forges[place].token() }

    /// A valid token, except that no key is called `name`.
    public static func token(under name: String) -> String { forges[0].token(header: "{\"alg\":\"ES256\",\"kid\":\"\(name)\"}") }

    /// A policy that accepts these tokens.
    public static let policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")
}
