/// The five tokens that these operations and the peers verify.
public struct Accepted: Sendable {
    public let name: String
    public let algorithm: String
    public let file: String
    public let keyID: String
    public let id: String

    public static let all = [
        Self(name: "rs256", algorithm: "RS256", file: "valid-algorithms", keyID: "rsa-1", id: "valid-rs256-2048"),
        Self(name: "ps256", algorithm: "PS256", file: "valid-algorithms", keyID: "rsa-1", id: "valid-ps256-2048"),
        Self(name: "es256", algorithm: "ES256", file: "valid-algorithms", keyID: "p256-1", id: "valid-es256"),
        Self(name: "ed25519", algorithm: "EdDSA", file: "valid-algorithms", keyID: "ed25519-1", id: "valid-eddsa-ed25519"),
        Self(name: "hs256", algorithm: "HS256", file: "hmac", keyID: "hs256-exact", id: "hmac-hs256-exact-secret"),
    ]

    public var fixture: Fixtures.Case { get throws { try Fixtures.case(file, keyID: keyID, id) } }
}
