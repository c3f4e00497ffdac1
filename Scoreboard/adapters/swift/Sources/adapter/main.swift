// jwt-kit: a JWTKeyCollection with the JWK Set, and a payload of the library's claims, which are checked in verify(using:).

import Foundation
import JWTKit

/// A key of a JWK Set. It is absent if the library cannot read it: it does not stand in the way of the others (RFC 7517 section 5).
struct Key: Decodable {
    /// A key that the library takes as an object of its own, because its JWK type has no secrets and no ML-DSA.
    struct Bare: Decodable {
        let kty: String
        let alg, kid, use, k, pub: String?
        let keyOps: [String]?

        var isMeant: Bool { (use ?? "sig") == "sig" && (keyOps ?? ["verify"]).contains("verify") }
    }

    let jwk: JWK?
    let bare: Bare?

    init(from decoder: any Decoder) throws {
        jwk = try? JWK(from: decoder)
        bare = try? Bare(from: decoder)
    }
}

extension JWTKeyCollection {
    func add(_ key: Key, for header: Header) throws {
        if var jwk = key.jwk {
            // The collection refuses keys without a name. No token can name this one.
            jwk.keyIdentifier = jwk.keyIdentifier ?? JWKIdentifier(string: UUID().uuidString)
            try add(jwk: jwk)
        } else if let bare = key.bare, bare.isMeant {
            try add(bare, for: header)
        }
    }

    private func add(_ key: Key.Bare, for header: Header) throws {
        let kid = JWKIdentifier(string: key.kid ?? UUID().uuidString)
        if key.kty == "oct", let secret = key.k.flatMap(octets), let digest = Self.digests[key.alg ?? header.alg ?? ""] {
            add(hmac: HMACKey(from: secret), digestAlgorithm: digest, kid: kid)
        } else if key.kty == "AKP", let raw = key.pub.flatMap(octets) {
            switch key.alg {
            case "ML-DSA-65": try add(mldsa: MLDSA65PublicKey(rawRepresentation: raw), kid: kid)
            case "ML-DSA-87": try add(mldsa: MLDSA87PublicKey(rawRepresentation: raw), kid: kid)
            default: break
            }
        }
    }

    private static var digests: [String: DigestAlgorithm] { ["HS256": .sha256, "HS384": .sha384, "HS512": .sha512] }
}

/// The claims of RFC 7519, of which the policy says which have to be there.
struct Claims: JWTPayload {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @TaskLocal static var rules = Rules(Policy(), now: 0)

    let iss: IssuerClaim?
    let sub: SubjectClaim?
    let aud: AudienceClaim?
    let exp: ExpirationClaim?
    let nbf: NotBeforeClaim?
    let iat: IssuedAtClaim?
    let jti: IDClaim?

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: Name.self)
        for name in Self.rules.required.map(Name.init) where try claims.decodeNil(forKey: name) {
            throw DecodingError.dataCorruptedError(forKey: name, in: claims, debugDescription: "null")
        }
        func claim<Claim: JWTClaim>(_ name: String) throws -> Claim? {
            try claims.decodeIfPresent(Claim.self, forKey: Name(stringValue: name))
        }
        (iss, sub, aud, jti) = try (claim("iss"), claim("sub"), claim("aud"), claim("jti"))
        (exp, nbf, iat) = try (claim("exp"), claim("nbf"), claim("iat"))
    }

    func verify(using algorithm: some JWTAlgorithm) throws {
        let rules = Self.rules
        guard rules.algorithms.contains(algorithm.name) else { throw Refusal(reason: "algorithm") }
        guard rules.issuers.isEmpty || rules.issuers.contains(iss?.value ?? "") else { throw Refusal(reason: "issuer") }
        guard rules.audiences.isEmpty || rules.audiences.contains(where: isIntended) else { throw Refusal(reason: "audience") }
        try exp?.verifyNotExpired(currentDate: rules.now - rules.leeway)
        try nbf?.verifyNotBefore(currentDate: rules.now + rules.leeway)
    }

    private func isIntended(for audience: String) -> Bool {
        (try? aud?.verifyIntendedAudience(includes: audience)) != nil
    }
}

struct Refusal: Error {
    let reason: String
}

let lacks = [
    "ES256K", "Ed25519", "Ed448", "secp256k1", "ML-DSA-44", "nonce", "access_token", "code", "max_age", "maximum_age", "acr", "amr", "azp",
    "revoked_jti", "types", "iat", "payload", "b64",
]

try await serve(lacks: lacks) { (question: Question<Key>) in
    guard question.policy.claims != false else { throw Unsupported(reason: "verifies claims only") }
    let rules = Rules(question.policy, now: question.now)
    let header = Header(of: question.token)
    let keys = JWTKeyCollection()
    for key in question.keys?.keys ?? [] { try? await keys.add(key, for: header) }
    // Otherwise a token that names an unknown key would be verified with the first one.
    if header.kid != nil { await keys.clearDefault() }
    _ = try await Claims.$rules.withValue(rules) {
        try await keys.verify(question.token, as: Claims.self, iteratingKeys: header.kid == nil)
    }
}
