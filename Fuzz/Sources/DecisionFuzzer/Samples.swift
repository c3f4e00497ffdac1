import FuzzInput
import JWTCore
import JWTSigning

/// The keys of two issuers, and their tokens.
enum Samples {
    static let keysOfA = #"{"keys":[\#(renamed(Keys.es256, "a"))]}"#
    static let keysOfB = #"{"keys":[\#(renamed(Keys.ed25519, "b"))]}"#

    /// An instant at which the valid tokens are valid.
    static let now: Int64 = 1_700_000_100

    /// Valid tokens of issuer a, of issuer b, and of issuer a with scopes, a line break in `sub`, and claims of every type.
    static let a = token("a", #""sub":"s","exp":1700003600"#)
    static let b = token("b", #""sub":"s","exp":1700003600"#, by: Keys.ed25519)
    static let scoped = token(
        "a",
        #"""
        "sub":"a\r\nb","exp":1700003600,"scope":"read write","admin":true,"groups":["x","a,b","é"],"nested":{"a": ["1", {"ü":"\"\u00e9😀"}]},\#
        "mixed":[1,null],"scp":["read",3]
        """#)

    /// Refused ones: expired, for another audience, under the other issuer's key, with another signature, and without one.
    static let expired = token("a", #""sub":"s","exp":1600000000"#)
    static let elsewhere = token("a", #""sub":"s","exp":1700003600,"aud":"other""#, audience: nil)
    static let foreign = token("a", #""sub":"s","exp":1700003600"#, by: Keys.ed25519)
    static let tampered = String(a.dropLast(4)) + "AAAA"
    static let unsigned = a.split(separator: ".").dropLast().joined(separator: ".") + "."

    /// What a byte of an input from 0xf8 on stands for. No such byte is in UTF-8.
    static let inserted = [a, b, scoped, expired, elsewhere, foreign, tampered, unsigned]

    /// A token whose `kid` is the issuer's name.
    private static func token(_ issuer: String, _ claims: String, audience: String? = "api", by key: SigningKey = Keys.es256) -> String {
        let audience = audience.map { #""aud":"\#($0)","# } ?? ""
        let payload = #"{"iss":"https://\#(issuer).example",\#(audience)"iat":1700000000,\#(claims)}"#
        let header = #"{"alg":"\#(key.algorithm.name)","kid":"\#(issuer)"}"#
        return String(decoding: Keys.token(key, header: Array(header.utf8), payload: Array(payload.utf8)), as: UTF8.self)
    }

    private static func renamed(_ key: SigningKey, _ name: String) -> String {
        Keys.jwk(key).replacing(#""kid":"\#(key.keyID ?? "")""#, with: #""kid":"\#(name)""#)
    }
}
