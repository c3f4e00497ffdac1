import DPoP
import Gateway
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport
import ReplayMemory
import Testing

/// Tokens of provider `a` come with DPoP proofs.
struct ProofDecisionTests {
    static let client = TokenForge(.es256, keyID: nil)
    private static let other = TokenForge(.es256, keyID: nil)

    static func thumbprint(_ forge: TokenForge) -> String { forge.keySet.keys[0].thumbprint ?? "" }

    private static let bound = Scene.token("a", #""cnf":{"jkt":"\#(thumbprint(client))"}"#)

    /// A proof for a GET of `https://api.example/x` with ``bound``, with changes.
    static func proof(
        _ name: String, url: String = "https://api.example/x", method: String = "GET", token: String = bound, _ more: String = "",
        at issuedAt: Int64 = Scene.now.seconds, by forge: TokenForge = client
    ) -> String {
        let digest = Base64URL.encode(Digest.sha256.bytes(of: token.utf8.span)), hash = String(decoding: digest, as: UTF8.self)
        let claims = #"{"jti":"\#(name)","htm":"\#(method)","htu":"\#(url)","iat":\#(issuedAt),"ath":"\#(hash)"\#(more)}"#
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(forge.jwk)}"#
        return forge.signer.token(header: header, payload: Array(claims.utf8)) ?? ""
    }

    static func request(
        _ proofs: [String], _ token: String = bound, scheme: String = "DPoP", _ target: String = "/x", method: String = "GET",
        host: String = "api.example"
    ) -> RequestFacts {
        let fields = [("Authorization", "\(scheme) \(token)")] + proofs.map { ("DPoP", $0) }
        return Scene.request(fields, target, method: method, host: host)
    }

    private static func scene(
        _ tokens: ProofTerms.Tokens = .bound, _ memory: any ReplayMemory = ReplayTable(entries: 1_024), cache: VerifiedTokenCache? = nil,
        _ change: (inout ProofTerms) -> Void = { _ in }
    ) async throws -> Scene {
        let configuration = Scene.configuration {
            var terms = ProofTerms(tokens: tokens)
            change(&terms)
            $0.providers[0].proofs = terms
            $0.providers[0].sources = [.bearer, .authorization(scheme: "DPoP")]
        }
        return try await Scene(configuration, cache: cache, replays: memory)
    }

    @Test(arguments: ProofTerms.Tokens.allCases)
    func aBoundTokenWithItsProofPasses(tokens: ProofTerms.Tokens) async throws {
        let scene = try await Self.scene(tokens)
        #expect(scene.verdict(Self.request([Self.proof("one")])) == "allowed")
        #expect(scene.verdict(Self.request([Self.proof("two")], scheme: "dpop")) == "allowed")
        #expect(await scene.core.decide(Self.request([Self.proof("three")]), now: Scene.now).word == "allowed")
    }

    @Test(arguments: [
        ([], "401 missing_proof"), (["", ""], "401 several_proofs"), ([""], "401 malformed_proof"), (["x"], "401 malformed_proof"),
    ])
    func withoutOneProofItIsRefused(proofs: [String], verdict: String) async throws {
        #expect(try await Self.scene().verdict(Self.request(proofs)) == verdict)
    }

    @Test
    func severalProofsAreRefusedAlsoInOneField() async throws {
        let scene = try await Self.scene(), first = Self.proof("one"), second = Self.proof("two")
        #expect(scene.verdict(Self.request([first, second])) == "401 several_proofs")
        #expect(scene.verdict(Self.request([first, first])) == "401 several_proofs")
        #expect(scene.verdict(Self.request(["\(first), \(second)"])) == "401 several_proofs")
        #expect(scene.verdict(Self.request(["\(first),"])) == "401 several_proofs")
        #expect(scene.verdict(Self.request(["  \(first)\t"])) == "allowed")
    }

    @Test
    func aProofForAnotherRequestTokenTimeOrKeyIsRefused() async throws {
        let scene = try await Self.scene()
        let cases: [(String, String)] = [
            (Self.proof("1", url: "https://api.example/y"), "proof_url_mismatch"),
            (Self.proof("2", url: "https://other.example/x"), "proof_url_mismatch"),
            (Self.proof("3", url: "http://api.example/x"), "proof_url_mismatch"),
            (Self.proof("4", method: "POST"), "proof_method_mismatch"), (Self.proof("5", token: "a.b.c"), "proof_token_mismatch"),
            (Self.proof("6", at: Scene.now.seconds - 70), "proof_too_old"),
            (Self.proof("7", at: Scene.now.seconds + 11), "proof_issued_in_future"),
            (Self.proof("8", by: Self.other), "proof_key_mismatch"), (Scene.token("a"), "proof_type_mismatch"),
        ]
        for (proof, code) in cases { #expect(scene.verdict(Self.request([proof])) == "401 \(code)") }
    }

    @Test
    func theQueryOfTheRequestDoesNotCount() async throws {
        let scene = try await Self.scene()
        #expect(scene.verdict(Self.request([Self.proof("one")], Self.bound, scheme: "DPoP", "/x?page=2")) == "allowed")
        #expect(scene.verdict(Self.request([Self.proof("two", url: "https://API.example:443/x?a#b")])) == "allowed")
    }

    @Test(arguments: ProofTerms.Tokens.allCases)
    func aBoundTokenIsNoBearerToken(tokens: ProofTerms.Tokens) async throws {
        let scene = try await Self.scene(tokens)
        #expect(scene.verdict(Self.request([Self.proof("one")], scheme: "Bearer")) == "401 bound_token_without_proof")
        #expect(scene.verdict(Self.request([], scheme: "Bearer")) == "401 bound_token_without_proof")
    }

    @Test
    func anUnboundTokenIsOneOnlyWhereTheTermsSaySo() async throws {
        let token = Scene.token("a"), proof = Self.proof("one", token: token)
        let bound = try await Self.scene(.bound), any = try await Self.scene(.any)
        #expect(bound.verdict(Self.request([], token, scheme: "Bearer")) == "401 unbound_token")
        #expect(bound.verdict(Self.request([proof], token)) == "401 unbound_token")
        #expect(any.verdict(Self.request([proof], token)) == "401 unbound_token")
        #expect(any.verdict(Self.request([], token, scheme: "Bearer")) == "allowed")
    }

    @Test(arguments: [
        ("7", "invalid_confirmation"), (#"{"jkt":"x"}"#, "invalid_confirmation"), (#"{"x5t#S256":"x"}"#, "invalid_confirmation"),
    ])
    func aMalformedConfirmationIsRefused(claim: String, code: String) async throws {
        let scene = try await Self.scene(), token = Scene.token("a", "\"cnf\":\(claim)")
        #expect(scene.verdict(Self.request([Self.proof("one", token: token)], token)) == "401 \(code)")
    }

    @Test
    func aTokenInAnotherPlaceThanItsSchemeIsRefused() async throws {
        let configuration = Scene.configuration {
            $0.providers[0].proofs = ProofTerms(tokens: .any)
            $0.providers[0].sources = [.authorization(scheme: "DPoP"), .query(name: "access_token"), .cookie(name: "session")]
        }
        let scene = try await Scene(configuration, replays: ReplayTable(entries: 64)), proof = ("DPoP", Self.proof("one"))
        #expect(scene.verdict(Scene.request([proof], "/x?access_token=\(Self.bound)")) == "401 bound_token_without_proof")
        #expect(scene.verdict(Scene.request([proof, ("Cookie", "session=\(Self.bound)")])) == "401 bound_token_without_proof")
    }

    // Once

    @Test
    func aProofPassesOnce() async throws {
        let scene = try await Self.scene(cache: VerifiedTokenCache(budget: 1 << 20)), proof = Self.proof("one")
        #expect(scene.verdict(Self.request([proof])) == "allowed")
        for _ in 0..<3 { #expect(scene.verdict(Self.request([proof])) == "401 replayed_proof") }
        // The name counts, whatever else the proof says.
        #expect(scene.verdict(Self.request([Self.proof("one", at: Scene.now.seconds - 1)])) == "401 replayed_proof")
        for name in ["two", "three", "four"] { #expect(scene.verdict(Self.request([Self.proof(name)])) == "allowed") }
    }

    @Test
    func aRefusedRequestUsesNoProofUp() async throws {
        let scene = try await Self.scene(), proof = Self.proof("one")
        #expect(scene.verdict(Self.request([proof], method: "POST")) == "401 proof_method_mismatch")
        _ = scene.core.explain(Self.request([proof]), now: Scene.now)
        #expect(scene.verdict(Self.request([proof])) == "allowed")
    }

    @Test
    func workersWithOneMemoryAcceptAProofOnceAndClientsDoNotShareNames() async throws {
        let memory = ReplayTable(entries: 1_024), first = try await Self.scene(.bound, memory),
            second = try await Self.scene(.bound, memory)
        let proof = Self.proof("one")
        #expect(first.verdict(Self.request([proof])) == "allowed")
        #expect(second.verdict(Self.request([proof])) == "401 replayed_proof")
        let token = Scene.token("a", #""cnf":{"jkt":"\#(Self.thumbprint(Self.other))"}"#)
        #expect(second.verdict(Self.request([Self.proof("one", token: token, by: Self.other)], token)) == "allowed")
    }

    /// Two providers of one issuer, of which the second takes older proofs: it remembers what the first let pass.
    @Test
    func aProofPassesOnceAlsoWhereAnotherProviderTakesOlderOnes() async throws {
        let configuration = Scene.configuration(.any([.provider("a"), .provider("old")])) {
            $0.providers[0].proofs = ProofTerms(tokens: .bound)
            $0.providers[0].sources = [.authorization(scheme: "DPoP")]
            var old = $0.providers[0]
            old.name = "old"
            old.proofs?.policy.maximumAge = .seconds(3_600)
            $0.providers.append(old)
        }
        let scene = try await Scene(configuration, replays: ReplayTable(entries: 64)), facts = Self.request([Self.proof("one")])
        #expect(scene.verdict(facts) == "allowed")
        let later = Scene.now.advanced(bySeconds: 200)
        // Of two refusals that say as much the first is told: that of `a`.
        #expect(await scene.core.decide(facts, now: later).word == "401 proof_too_old")
        #expect(await scene.core.decide(Self.request([Self.proof("two")]), now: later).word == "allowed")
    }

    @Test
    func aFullMemoryRefuses() async throws {
        let scene = try await Self.scene(.bound, ReplayTable(entries: 1))
        var verdicts: [String] = []
        for name in 0..<64 { verdicts.append(scene.verdict(Self.request([Self.proof("\(name)")]))) }
        #expect(verdicts.first == "allowed" && verdicts.last == "503 replay_memory_unavailable")
    }

    @Test
    func withoutAMemoryTheConfigurationIsRefused() async throws {
        let configuration = Scene.configuration {
            $0.providers[0].proofs = ProofTerms(tokens: .bound)
            $0.providers[0].sources = [.authorization(scheme: "DPoP")]
        }
        let fault = await #expect(throws: ConfigurationFault.self) { try await Scene(configuration) }
        #expect(fault?.code == .noReplayMemory && fault?.setting == "providers[0].proofs")
    }

    // Nonces

    @Test
    func aNonceIsAskedForAndThenTaken() async throws {
        let nonces = ProofNonces.random(label: "a")
        let scene = try await Self.scene { $0.policy.nonces = nonces }
        let denial = try #require(scene.core.decideNow(Self.request([Self.proof("one")]), now: Scene.now).denial)
        #expect(denial.reason.code == "missing_proof_nonce" && denial.status == 401)
        let nonce = try #require(denial.proofNonce)
        #expect(denial.challenge?.hasPrefix(#"DPoP error="use_dpop_nonce""#) == true)
        #expect(scene.verdict(Self.request([Self.proof("one", #","nonce":"\#(nonce)""#)])) == "allowed")
        #expect(scene.verdict(Self.request([Self.proof("two", #","nonce":"\#(String(nonce.reversed()))""#)])) == "401 proof_nonce_mismatch")
        let reply = GatewayProfile(.traefik).reply(to: .denied(denial))
        #expect(reply.fields.contains { $0.name == "dpop-nonce" && $0.value == nonce })
    }

    /// RFC 9449 section 8.2.
    @Test
    func anAdmissionHasTheNextNonceWhereTheProofHasTheOneBefore() async throws {
        let nonces = ProofNonces.random(label: "a"), later = Scene.now.advanced(bySeconds: 300)
        let scene = try await Self.scene {
            $0.policy.nonces = nonces
            $0.policy.maximumAge = .seconds(600)
        }
        func admission(_ name: String, _ nonce: String) -> Admission? {
            let facts = Self.request([Self.proof(name, #","nonce":"\#(nonce)""#)])
            return if case .allowed(let admission) = scene.core.decideNow(facts, now: later) { admission } else { nil }
        }
        let old = try #require(admission("one", nonces.current(at: Scene.now))), new = nonces.current(at: later)
        #expect(old.proofNonce == new)
        for kind in GatewayProfile.Kind.allCases {
            #expect(GatewayProfile(kind).reply(to: .allowed(old)).fields.contains { $0.name == "dpop-nonce" && $0.value == new })
        }
        let current = try #require(admission("two", new))
        #expect(current.proofNonce == nil)
        #expect(!GatewayProfile(.nginx).reply(to: .allowed(current)).fields.contains { $0.name == "dpop-nonce" })
        let refused = scene.core.decideNow(Self.request([Self.proof("one", #","nonce":"\#(nonces.current(at: Scene.now))""#)]), now: later)
        #expect(refused.denial?.reason.code == "replayed_proof" && refused.denial?.proofNonce == new)
    }

    @Test
    func aRefusalWithoutNoncesHasNone() async throws {
        let denial = try #require(try await Self.scene().core.decideNow(Self.request([]), now: Scene.now).denial)
        #expect(denial.proofNonce == nil && !GatewayProfile(.nginx).reply(to: .denied(denial)).fields.contains { $0.name == "dpop-nonce" })
    }

    // Challenges

    @Test
    func theChallengeNamesTheSchemeAndTheAlgorithms() async throws {
        func challenge(_ scene: Scene, _ facts: RequestFacts) -> String? { scene.core.decideNow(facts, now: Scene.now).denial?.challenge }
        let bound = try await Self.scene { $0.policy.algorithms = [.es256, .ed25519] }
        let any = try await Self.scene(.any) { $0.policy.algorithms = [.es256] }
        #expect(challenge(bound, Scene.request()) == #"DPoP algs="ES256 Ed25519""#)
        #expect(challenge(any, Scene.request()) == #"Bearer, DPoP algs="ES256""#)
        #expect(
            challenge(bound, Self.request([]))
                == #"DPoP error="invalid_dpop_proof", error_description="the request has no DPoP proof", algs="ES256 Ed25519""#)
        #expect(challenge(any, Self.request([Self.proof("1")], scheme: "Bearer"))?.hasPrefix(#"DPoP error="invalid_token""#) == true)
        let expired = challenge(any, Self.request([], "a.b.c", scheme: "Bearer"))
        #expect(expired?.hasPrefix(#"Bearer error="invalid_token""#) == true && expired?.hasSuffix(#", DPoP algs="ES256""#) == true)
    }

    // The gateway's facts

    @Test
    func theURLIsThatOfTheGatewaysFacts() async throws {
        let scene = try await Self.scene()
        var plain = Self.request([Self.proof("1", url: "http://api.example/x")])
        plain.scheme = "http"
        #expect(scene.verdict(plain) == "allowed")
        #expect(scene.verdict(Self.request([Self.proof("2", url: "https://b.example:8443/x")], host: "b.example:8443")) == "allowed")
        #expect(scene.verdict(Self.request([Self.proof("3")], host: "b.example")) == "401 proof_url_mismatch")
        let fixed = try await Self.scene { $0.origin = "https://api.example" }
        var behind = Self.request([Self.proof("4")], host: "10.0.0.7:8080")
        behind.scheme = "http"
        #expect(fixed.verdict(behind) == "allowed")
        #expect(fixed.verdict(Self.request([Self.proof("5", url: "https://10.0.0.7/x")], host: "10.0.0.7")) == "401 proof_url_mismatch")
    }

    @Test(arguments: [
        ("https://api.example/", ConfigurationFault.Code.invalidProofOrigin), ("api.example", .invalidProofOrigin),
        ("ftp://api.example", .invalidProofOrigin), ("https://u@api.example", .invalidProofOrigin), ("https://", .invalidProofOrigin),
    ])
    func anOriginHasSchemeAndHostAlone(origin: String, code: ConfigurationFault.Code) throws {
        let configuration = Scene.configuration {
            $0.providers[0].proofs = ProofTerms(tokens: .bound)
            $0.providers[0].proofs?.origin = origin
            $0.providers[0].sources = [.authorization(scheme: "DPoP")]
        }
        #expect(throws: ConfigurationFault.self) { try configuration.check() }
        let fault = #expect(throws: ConfigurationFault.self) { try configuration.check() }
        #expect(fault?.code == code)
    }

    @Test
    func termsNeedTheSchemeAndAnAlgorithm() {
        var configuration = Scene.configuration { $0.providers[0].proofs = ProofTerms(tokens: .bound) }
        #expect(#expect(throws: ConfigurationFault.self) { try configuration.check() }?.code == .noProofSource)
        configuration.providers[0].sources = [.authorization(scheme: "dpop")]
        configuration.providers[0].proofs?.policy.algorithms = [.hs256]
        #expect(#expect(throws: ConfigurationFault.self) { try configuration.check() }?.code == .noProofAlgorithm)
    }

    @Test
    func withoutTermsNothingIsLookedAt() async throws {
        let scene = try await Scene(Scene.configuration())
        #expect(scene.verdict(Self.request([], scheme: "Bearer")) == "allowed")
        #expect(scene.verdict(Self.request(["x", "y"], scheme: "Bearer")) == "allowed")
        #expect(scene.verdict(Self.request([Self.proof("1")])) == "401 missing_token")
    }
}
