import DPoP
import Foundation
import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import ReplayMemory
import Testing

/// The vectors of `vectors/dpop` as requests to a gateway: it refuses what it must, with the code that they say.
struct ProofVectorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../vectors/dpop")

    /// The gateway protects resources. `endpoint.json` is for authorization servers.
    static let names = [
        "algorithms", "bindings", "claims", "forms", "good", "headers", "keys", "limits", "methods", "nonces", "replays", "requests",
        "signatures", "times", "token-hashes", "urls",
    ]

    @Test(arguments: names)
    func theGatewaySaysWhatTheVectorsSay(name: String) async throws {
        let file = try JSONTree(parsing: Array(Data(contentsOf: Self.folder.appending(path: "\(name).json"))))
        guard case .number(let text) = file["now"], let now = Int64(text) else { throw CocoaError(.coderInvalidValue) }
        let cases = try #require(file["cases"]?.elements)
        #expect(cases.count > 4)
        for vector in cases where vector["authorization"] != nil {
            let scene = try await Self.scene(file)
            let date = NumericDate(seconds: now)
            for proof in vector["earlier"]?.elements ?? [] {
                #expect(scene.core.decideNow(try Self.request(vector, [proof]), now: date).word == "allowed")
            }
            let decision = scene.core.decideNow(try Self.request(vector, vector["proofs"]?.elements ?? []), now: date)
            let id = vector["id"]?.text ?? "", expect = vector["expect"]?.text ?? ""
            switch expect {
            case "valid": #expect(decision.word == "allowed", "\(id)")
            // A gateway asks the issuer for a key that it does not know, and may not wait for the answer.
            case "invalid", "unknown_key": #expect(decision.denial != nil, "\(id)")
            default: #expect(decision.denial?.reason.code == expect, "\(id)")
            }
        }
    }

    private static func scene(_ file: JSONTree) async throws -> Scene {
        let policy = file["policy"]
        var terms = ProofTerms(tokens: .bound)
        let names = policy?["proof_algorithms"]?.elements ?? []
        terms.policy.algorithms = AlgorithmSet(names.compactMap { $0.text.flatMap(SignatureAlgorithm.init(name:)) })
        if let secret = policy?["nonce_secret"]?.text, let label = policy?["nonce_label"]?.text {
            terms.policy.nonces = ProofNonces(secrets: [try Base64URL.bytes(secret.utf8.span)], label: label)
        }
        let issuer = policy?["issuer"]?.text ?? "", audience = policy?["audience"]?.text ?? ""
        let configuration = Scene.configuration {
            var own = IssuerConfiguration(
                issuer, source: .jwks(url: "https://a.example/jwks"), policy: .accessToken(issuer: issuer, audience: audience))
            own.isRequired = true
            $0.providers = [Provider("a", issuer: own)]
            $0.providers[0].proofs = terms
            $0.providers[0].sources = [.bearer, .authorization(scheme: "DPoP")]
        }
        let keys = file["keys"].map { String(decoding: $0.json, as: UTF8.self) }
        return try await Scene(configuration, replays: ReplayTable(entries: 64), keys: keys)
    }

    /// The request of a case, with these proofs.
    private static func request(_ vector: JSONTree, _ proofs: [JSONTree]) throws -> RequestFacts {
        let url = try #require(vector["url"]?.text), method = try #require(vector["method"]?.text)
        let scheme = url.prefix { $0 != ":" }, rest = url.dropFirst(scheme.count + 3), host = rest.prefix { $0 != "/" }
        let fields = [Field("Authorization", vector["authorization"]?.text ?? "")] + proofs.map { Field("DPoP", $0.text ?? "") }
        let target = rest.dropFirst(host.count)
        var facts = RequestFacts(method: method, host: String(host), target: target.isEmpty ? "/" : String(target), fields: fields)
        facts.scheme = String(scheme)
        return facts
    }
}
