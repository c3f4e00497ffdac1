import Foundation
import Gateway
import JWKSCache
import JWTCore
import JWTTestSupport
import Testing

/// The vectors of `vectors/certificates` as requests to a gateway, with the certificate as HAProxy writes it.
struct CertificateVectorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../vectors/certificates")

    @Test(arguments: ["bindings", "claims", "forms", "optional"])
    func theGatewaySaysWhatTheVectorsSay(name: String) async throws {
        let file = try JSONTree(parsing: Array(Data(contentsOf: Self.folder.appending(path: "\(name).json"))))
        guard case .number(let text) = file["now"], let now = Int64(text) else { throw CocoaError(.coderInvalidValue) }
        let scene = try await Self.scene(file), cases = try #require(file["cases"]?.elements)
        #expect(cases.count > 4)
        for vector in cases {
            var facts = Scene.bearer(vector["access_token"]?.text ?? "")
            if let certificate = vector["certificate"]?.text { facts.certificate = ClientCertificate(.derBase64, certificate) }
            let decision = scene.core.decideNow(facts, now: NumericDate(seconds: now))
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
        let policy = file["policy"], issuer = policy?["issuer"]?.text ?? "", audience = policy?["audience"]?.text ?? ""
        let binding = try #require(CertificateBinding(rawValue: policy?["binding"]?.text ?? ""))
        let configuration = Scene.configuration {
            var own = IssuerConfiguration(
                issuer, source: .jwks(url: "https://a.example/jwks"), policy: .accessToken(issuer: issuer, audience: audience))
            own.isRequired = true
            $0.providers = [Provider("a", issuer: own)]
            $0.providers[0].certificateBinding = binding
        }
        return try await Scene(configuration, keys: file["keys"].map { String(decoding: $0.json, as: UTF8.self) })
    }
}
