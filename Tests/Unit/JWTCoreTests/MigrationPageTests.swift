import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// What the pages for users of other libraries say of Assay: each row of their tables of differences, on a token of its kind.
struct MigrationPageTests {
    private static let forge = Forges.es256
    private static let policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")

    /// The verdicts on the tokens of a row, by the row's first cell.
    private static let verdicts: [String: @Sendable () throws -> [String]] = [
        "no `exp`": { [of(claims(without: "exp"))] },
        "no `exp`, or an expired one, and `verify(using:)` does not look": {
            [of(claims(without: "exp")), of(claims(["exp": 1_700_000_000]))]
        },
        "expired for less than a minute": { [of(claims(["exp": 1_700_000_050]))] },
        "`iat` in the future": { [of(claims(["iat": 1_700_000_200]))] },
        "`iat` in the future, without `maxTokenAge`": { [of(claims(["iat": 1_700_000_200]))] },
        "`alg` of the header differs from the algorithm of the key": { [verifier().verdict(forge.token(header: header("RS256")))] },
        "`alg` that the policy does not list": {
            var narrow = policy
            narrow.algorithms = [.rs256]
            return [verifier(narrow).verdict(forge.token())]
        },
        "a `kid` that no key has": { [verifier().verdict(forge.token(header: header("ES256", "other")))] },
        "`crit` with an unknown name": {
            [verifier().verdict(forge.token(header: #"{"alg":"ES256","kid":"test-key","crit":["x"],"x":1}"#))]
        },
        "a member twice": { [of(#"{"sub":"a","# + TokenForge.idToken.dropFirst())] },
        "`+`, `/` in place of `-`, `_`": { [changed { "+" + $0.dropFirst() }] },
        "padding, or unused bits, in base64url": { [changed { $0 + "==" }, changed { $0.dropLast() + "B" }] },
        "a key with `\"use\": \"enc\"`, or without `verify` in `key_ops`": {
            [verdict(in: [jwk(forge.members, ["use": "enc"])]), verdict(in: [jwk(forge.members, ["key_ops": ["sign"]])])]
        },
        "a JWK without `kid`": { [verdict(in: [jwk(forge.members, ["kid": nil as String?])], token: #"{"alg":"ES256"}"#)] },
        "a set with a key of an unknown `kty`": { [verdict(in: [#"{"kty":"new","kid":"n"}"#, forge.jwk])] },
        "several keys fit a token without `kid`": {
            let other = TokenForge(.es256, keyID: "other").jwk
            return [verdict(in: [other, other, other, forge.jwk], token: #"{"alg":"ES256"}"#)]
        },
        "an HMAC secret shorter than its hash": {
            [JWTCoreTests.verdict { _ = try VerificationKey(secret: [UInt8](repeating: 1, count: 31), algorithm: .hs256) }]
        },
        "a JWK Set with a symmetric key": {
            var shared = policy
            shared.algorithms = [.hs256]
            return [TokenVerifier(keys: Forges.hs256.keySet, policy: shared).verdict(Forges.hs256.token())]
        },
        "ES256K, Ed448": {
            [SignatureAlgorithm.es256k, .ed448].map { Forges.of($0).verifier(policy).verdict(Forges.of($0).token()) }
        },
        "more than 16 KiB": { [of(claims(["x": String(repeating: "x", count: 16_384)]))] },
        "a token of more than 16 KiB, or nested deeper than 16": {
            let nested = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
            return [
                of(claims(["x": String(repeating: "x", count: 16_384)])), of("{\"x\":\(nested)," + TokenForge.idToken.dropFirst()),
            ]
        },
    ]

    @Test(arguments: ["FromJWTKit", "FromJose"])
    func everyDifferenceIsAsThePageSays(page: String) throws {
        let text = try String(contentsOfFile: "\(ConformanceFolder.repository)/Docs/\(page).md", encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## What differs\n").last?.components(separatedBy: "\n\n").first)
        let rows = section.split(separator: "\n").dropFirst(2).map { row in
            row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows.count >= 10)
        for row in rows {
            let judged = try #require(Self.verdicts[row[1]], "\(page) has no token for: \(row[1])")
            let codes = row[3].matches(of: /`([a-z0-9_]+)`/).map { String($0.1) }
            let verdicts = try judged()
            // One code stands for all tokens of its row.
            let expected = codes.count > 1 ? codes : verdicts.map { _ in codes.first ?? "valid" }
            #expect(verdicts == expected, "\(page): \(row[1])")
        }
    }

    private static func verifier(_ policy: ClaimsPolicy = policy) -> TokenVerifier<KeySet> { forge.verifier(policy) }

    /// The verdict on a token with these claims.
    private static func of(_ claims: String) -> String { verifier().verdict(forge.token(claims)) }

    /// The verdict on a token whose signature's text is changed.
    private static func changed(_ change: (Substring) -> String) -> String {
        let parts = forge.token().split(separator: ".")
        return verifier().verdict("\(parts[0]).\(parts[1]).\(change(parts[2]))")
    }

    /// The verdict by a set of `jwks` on a token with this header.
    private static func verdict(in jwks: [String], token header: String = #"{"alg":"ES256","kid":"test-key"}"#) -> String {
        TokenVerifier(keys: TokenForge.keySet(jwks), policy: policy).verdict(forge.token(header: header))
    }

    private static func header(_ algorithm: String, _ keyID: String = "test-key") -> String {
        "{\"alg\":\"\(algorithm)\",\"kid\":\"\(keyID)\"}"
    }

    /// The claims of an id_token with some replaced, and one left out.
    private static func claims(_ changes: [String: any Sendable] = [:], without name: String = "") -> String {
        let object = try? JSONSerialization.jsonObject(with: Data(TokenForge.idToken.utf8))
        var members = (object as? [String: Any] ?? [:]).merging(changes) { $1 }
        members[name] = nil
        let data = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
