import Gateway
import JWTCore
import ReplayMemory
import Testing

/// Tokens of provider `a` are bound to the certificate of their client (RFC 8705).
struct CertificateBindingTests {
    private static let client = SampleCertificate.client, other = SampleCertificate.other
    private static let bound = Scene.token("a", client.claim), unbound = Scene.token("a")
    private static let key = ProofDecisionTests.thumbprint(ProofDecisionTests.client)

    private static func scene(_ binding: CertificateBinding?, _ proofs: ProofTerms.Tokens? = nil) async throws -> Scene {
        let configuration = Scene.configuration {
            $0.providers[0].certificateBinding = binding
            $0.providers[0].proofs = proofs.map { ProofTerms(tokens: $0) }
            if proofs != nil { $0.providers[0].sources = [.bearer, .authorization(scheme: "DPoP")] }
        }
        return try await Scene(configuration, replays: proofs.map { _ in ReplayTable(entries: 64) })
    }

    private static func request(_ token: String, _ certificate: ClientCertificate?) -> RequestFacts {
        var facts = Scene.bearer(token)
        facts.certificate = certificate
        return facts
    }

    private static let presented = ClientCertificate(.pemEscaped, client.escaped)

    @Test(arguments: CertificateBinding.allCases)
    func aBoundTokenPassesWithItsCertificateAlone(binding: CertificateBinding) async throws {
        let scene = try await Self.scene(binding)
        #expect(scene.verdict(Self.request(Self.bound, Self.presented)) == "allowed")
        #expect(scene.verdict(Self.request(Self.bound, ClientCertificate(.derBase64, Self.client.base64))) == "allowed")
        #expect(scene.verdict(Self.request(Self.bound, ClientCertificate(.pemEscaped, Self.other.escaped))) == "401 certificate_mismatch")
        #expect(scene.verdict(Self.request(Self.bound, nil)) == "401 missing_certificate")
        #expect(scene.verdict(Self.request(Self.bound, ClientCertificate(.pemEscaped, ""))) == "401 missing_certificate")
        #expect(scene.verdict(Self.request(Self.bound, ClientCertificate(.pemEscaped, "x"))) == "401 malformed_certificate")
        let huge = ClientCertificate(.xfcc, String(repeating: "a", count: 70_000))
        #expect(scene.verdict(Self.request(Self.bound, huge)) == "401 certificate_too_large")
    }

    /// The field is one of the client's own where no gateway sets it.
    @Test
    func aFieldOfTheClientIsNoCertificate() async throws {
        let scene = try await Self.scene(.required)
        let names = ["X-Client-Cert", "Client-Cert", "X-Forwarded-Client-Cert", "X-Forwarded-Tls-Client-Cert"]
        let fields = names.map { ($0, Self.client.escaped) }
        let facts = Scene.request([("Authorization", "Bearer \(Self.bound)")] + fields)
        #expect(scene.verdict(facts) == "401 missing_certificate")
    }

    @Test
    func anUnboundTokenPassesOnlyWhereItMay() async throws {
        let required = try await Self.scene(.required), optional = try await Self.scene(.optional)
        #expect(required.verdict(Self.request(Self.unbound, Self.presented)) == "401 not_certificate_bound")
        #expect(required.verdict(Self.request(Self.unbound, nil)) == "401 not_certificate_bound")
        #expect(optional.verdict(Self.request(Self.unbound, Self.presented)) == "allowed")
        // Nothing of the certificate is read for it.
        #expect(optional.verdict(Self.request(Self.unbound, ClientCertificate(.pemEscaped, "x"))) == "allowed")
    }

    @Test(arguments: [
        ("7", "invalid_confirmation"), ("{}", "invalid_confirmation"), ("null", "invalid_confirmation"),
        (#"{"x5t#S256":7}"#, "invalid_confirmation"), (#"{"x5t#S256":"x"}"#, "invalid_confirmation"),
        (#"{"x5t#S256":"\#(client.thumbprint)="}"#, "invalid_confirmation"),
        (#"{"x5t#S256":"\#(client.thumbprint.dropLast(1))"}"#, "invalid_confirmation"),
        (#"{"x5t#S256":"\#(client.thumbprint)","jkt":"x"}"#, "invalid_confirmation"),
        (#"{"x5t":"\#(client.thumbprint)"}"#, "unsupported_confirmation"), (#"{"kid":"a"}"#, "unsupported_confirmation"),
        (#"{"x5t#S256":"\#(client.thumbprint)","kid":"a"}"#, "unsupported_confirmation"),
        (#"{"jkt":"\#(key)"}"#, "unsupported_confirmation"),
        (#"{"x5t#S256":"\#(client.thumbprint)","jkt":"\#(key)"}"#, "unsupported_confirmation"),
    ])
    func aClaimThatIsNotCheckedWholeIsRefused(claim: String, code: String) async throws {
        let token = Scene.token("a", "\"cnf\":\(claim)")
        for binding in CertificateBinding.allCases {
            #expect(try await Self.scene(binding).verdict(Self.request(token, Self.presented)) == "401 \(code)")
        }
    }

    /// Where only proofs are asked for, a token that is bound otherwise is no bearer token.
    @Test(arguments: ["{\"x5t#S256\":\"\(client.thumbprint)\"}", #"{"kid":"a"}"#, #"{"jkt":"\#(key)","kid":"a"}"#])
    func aMethodThatIsNotCheckedIsRefusedWhereProofsAre(claim: String) async throws {
        let token = Scene.token("a", "\"cnf\":\(claim)")
        let scene = try await Self.scene(nil, .any), proof = ProofDecisionTests.proof("one", token: token)
        #expect(scene.verdict(Self.request(token, Self.presented)) == "401 unsupported_confirmation")
        #expect(scene.verdict(ProofDecisionTests.request([proof], token)) == "401 unsupported_confirmation")
    }

    @Test
    func withoutTermsNothingIsLookedAt() async throws {
        #expect(try await Self.scene(nil).verdict(Self.request(Self.bound, nil)) == "allowed")
    }

    @Test
    func aTokenThatIsBoundTwiceNeedsBoth() async throws {
        let token = Scene.token("a", #""cnf":{"x5t#S256":"\#(Self.client.thumbprint)","jkt":"\#(Self.key)"}"#)
        let scene = try await Self.scene(.required, .bound)
        func verdict(_ name: String, _ certificate: ClientCertificate?, scheme: String = "DPoP") -> String {
            var facts = ProofDecisionTests.request([ProofDecisionTests.proof(name, token: token)], token, scheme: scheme)
            facts.certificate = certificate
            return scene.verdict(facts)
        }
        #expect(verdict("one", Self.presented) == "allowed")
        #expect(verdict("one", Self.presented) == "401 replayed_proof")
        #expect(verdict("two", nil) == "401 missing_certificate")
        // The refusal has not used the proof.
        #expect(verdict("two", Self.presented) == "allowed")
        #expect(verdict("three", Self.presented, scheme: "Bearer") == "401 bound_token_without_proof")
    }

    @Test
    func theChallengeIsThatOfAnInvalidToken() async throws {
        let decision = try await Self.scene(.required).core.decideNow(Self.request(Self.bound, nil), now: Scene.now)
        #expect(decision.denial?.challenge?.hasPrefix("Bearer error=\"invalid_token\"") == true)
        #expect(decision.denial?.status == 401)
    }

    @Test
    func anAnswerAboutATokenOfProofsHasItsKey() async throws {
        func verdict(_ more: String, _ scheme: String = "Bearer", _ tokens: ProofTerms.Tokens = .any) async throws -> String {
            let scene = try await IntrospectionScene(answering: IntrospectionScene.active(more), replays: ReplayTable(entries: 64)) {
                $0.providers[0].proofs = ProofTerms(tokens: tokens)
                $0.providers[0].sources = [.bearer, .authorization(scheme: "DPoP")]
            }
            return await scene.scene.core.decide(Scene.request([("Authorization", "\(scheme) \(IntrospectionScene.opaque)")])).word
        }
        #expect(try await verdict(#","token_type":"DPoP""#) == "401 unbound_token")
        #expect(try await verdict(#","token_type":"dpop""#, "DPoP") == "401 unbound_token")
        #expect(try await verdict(#","token_type":"Bearer""#) == "allowed")
        #expect(try await verdict("") == "allowed")
    }

    @Test
    func anAnswerIsBoundToACertificateToo() async throws {
        func verdict(_ certificate: ClientCertificate?) async throws -> String {
            let scene = try await IntrospectionScene(answering: IntrospectionScene.active(",\(Self.client.claim)")) {
                $0.providers[0].certificateBinding = .required
            }
            return await scene.scene.core.decide(Self.request(IntrospectionScene.opaque, certificate)).word
        }
        #expect(try await verdict(Self.presented) == "allowed")
        #expect(try await verdict(nil) == "401 missing_certificate")
    }
}
