import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// The tokens of jwt.io: those on its pages (`default-tokens.json`) and those of its own tests (`jwt.json`).
@Suite(.enabled(if: ConformanceFolder.isThere))
struct JWTIOTests {
    private static let byAlgorithm = "jwt/jwtio/jwt.json"

    @Test
    func tokensAreValidWithEveryFormOfTheirKey() {
        let algorithms = ConformanceInput.object(Self.byAlgorithm)["byAlgorithm"] as? [String: Any] ?? [:]
        var verdicts: [String: Int] = [:]
        for (name, entry) in algorithms where name != "none" {
            for (form, value) in entry as? [String: Any] ?? [:] {
                guard let sample = value as? [String: Any], let token = sample["jwt"] as? String else { continue }
                let judgement = Judgement(jwt: token, Self.keys(sample), Self.policy(name), now: 1_700_000_000)
                verdicts[judgement.verdict, default: 0] += 1
                let isAvailable = SignatureAlgorithm(name: name)?.isAvailable ?? false
                #expect(judgement.verdict == (isAvailable ? "valid" : Self.unavailable(form)), "\(name) \(form)")
                if isAvailable {
                    #expect(judgement.payload.flatMap(ConformanceInput.dictionary) == Self.payload(sample), "\(name) \(form)")
                }
            }
        }
        let unavailable = 2 * SignatureAlgorithm.all.count { !$0.isAvailable }
        #expect(verdicts.values.reduce(0, +) == 32)
        #expect(verdicts["valid"] == 32 - unavailable)
    }

    /// ML-DSA without support in libcrypto: a JWK is a key that fits no token, a PEM is not a key.
    private static func unavailable(_ form: String) -> String { form == "withPemKey" ? "invalid_key" : "unsupported_algorithm" }

    private static func keys(_ sample: [String: Any]) -> Keys {
        if let secret = sample["secret"] as? String {
            let isEncoded = sample["secretEncoding"] as? String == "base64url"
            return Keys(secret: isEncoded ? ConformanceInput.decoded(secret) ?? [] : Array(secret.utf8))
        }
        if let pem = sample["publicKey"] as? String { return Keys(document: Array(pem.utf8)) }
        return Keys(document: ConformanceInput.document(sample["publicKey"]))
    }

    private static func policy(_ name: String) -> ClaimsPolicy {
        var policy = ClaimsPolicy.lenient
        policy.algorithms = AlgorithmSet([SignatureAlgorithm(name: name)].compactMap { $0 })
        return policy
    }

    private static func payload(_ sample: [String: Any]) -> NSDictionary? {
        (sample["payload"] as? String).flatMap { ConformanceInput.dictionary(Array($0.utf8)) }
    }

    @Test
    func privateKeysAreNoDocumentsToVerifyWith() {
        let algorithms = ConformanceInput.object(Self.byAlgorithm)["byAlgorithm"] as? [String: Any] ?? [:]
        var checks = 0
        for (name, entry) in algorithms {
            let sample = (entry as? [String: Any])?["withPemKey"] as? [String: Any]
            guard let pem = sample?["privateKey"] as? String else { continue }
            #expect(Keys(document: Array(pem.utf8)).refusal == "invalid_key", "\(name)")
            checks += 1
        }
        #expect(checks == 13)
    }

    @Test
    func unsecuredTokensAreRefused() throws {
        let algorithms = try #require(ConformanceInput.object(Self.byAlgorithm)["byAlgorithm"] as? [String: Any])
        let rs256 = try #require(((algorithms["RS256"] as? [String: Any])?["withPemKey"]) as? [String: Any])
        let shown = ConformanceInput.object("jwt/jwtio/default-tokens.json")
        let unsecured = [(algorithms["none"] as? [String: Any])?["jwt"] as? String, (shown["none"] as? [String: Any])?["token"] as? String]
        for token in unsecured {
            let judgement = Judgement(jwt: try #require(token), Self.keys(rs256), now: 1_700_000_000)
            #expect(judgement.verdict == "unsecured_token")
        }
    }

    @Test
    func shownTokensAreValid() {
        var checks = 0
        for (name, value) in ConformanceInput.object("jwt/jwtio/default-tokens.json") where name != "none" {
            guard let sample = value as? [String: Any], let token = sample["token"] as? String else { continue }
            var keys: [Keys] = []
            if let secret = sample["secretUtf8"] as? String { keys.append(Keys(secret: Array(secret.utf8))) }
            if let pem = sample["publicKeyPem"] as? String { keys.append(Keys(document: Array(pem.utf8))) }
            if let jwk = sample["publicKeyJwk"] { keys.append(Keys(document: ConformanceInput.document(jwk))) }
            for keys in keys {
                #expect(Judgement(jwt: token, keys, Self.policy(name), now: 1_700_000_000).verdict == "valid", "\(name)")
                checks += 1
            }
            let thumbprints = Set(keys.compactMap { $0.list.first?.thumbprint })
            #expect(thumbprints.count == (sample["secretUtf8"] == nil ? 1 : 0), "\(name): PEM and JWK are one key, a secret has none")
        }
        // Three with a secret, ten with a PEM and a JWK.
        #expect(checks == 23)
    }
}
