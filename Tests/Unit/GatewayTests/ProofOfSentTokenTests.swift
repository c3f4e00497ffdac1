import DPoP
import Gateway
import JWTCore
import JWTDecryption
import JWTTestSupport
import ReplayMemory
import Testing

import struct AssayTesting.TestRecipient

/// A proof is made for the token as it was sent, also where that is encrypted or opaque (RFC 9449 section 4.2: `ath`).
struct ProofOfSentTokenTests {
    private typealias Proofs = ProofDecisionTests

    private static let confirmation = #""cnf":{"jkt":"\#(Proofs.thumbprint(Proofs.client))"}"#

    private static func bind(_ provider: inout Provider) {
        provider.proofs = ProofTerms(tokens: .bound)
        provider.sources = [.bearer, .authorization(scheme: "DPoP")]
    }

    @Test func aProofIsForTheEncryptedToken() async throws {
        let recipient = try TestRecipient(.ecdhES), key = try recipient.decryptionKey
        let configuration = Scene.configuration {
            Self.bind(&$0.providers[0])
            $0.providers[0].decryptionKeys = [key]
        }
        let scene = try await Scene(configuration, replays: ReplayTable(entries: 64))
        let inner = Scene.token("a", Self.confirmation), token = try recipient.encrypted(inner)
        let unbound = try recipient.encrypted(Scene.token("a")), proof = Proofs.proof("one", token: token)
        #expect(scene.verdict(Proofs.request([Proofs.proof("two", token: inner)], token)) == "401 proof_token_mismatch")
        #expect(scene.verdict(Proofs.request([], token)) == "401 missing_proof")
        #expect(scene.verdict(Proofs.request([proof], token, scheme: "Bearer")) == "401 bound_token_without_proof")
        #expect(scene.verdict(Proofs.request([Proofs.proof("three", token: unbound)], unbound)) == "401 unbound_token")
        #expect(scene.verdict(Proofs.request([proof], token)) == "allowed")
        #expect(scene.verdict(Proofs.request([proof], token)) == "401 replayed_proof")
    }

    /// RFC 9449 section 6.2: the answer of the authorization server has the key.
    @Test func aProofIsForTheOpaqueToken() async throws {
        let token = IntrospectionScene.opaque, proof = Proofs.proof("one", token: token)
        let test = try await IntrospectionScene(
            answering: IntrospectionScene.active(",\(Self.confirmation)"), replays: ReplayTable(entries: 64),
            { Self.bind(&$0.providers[0]) })
        func verdict(_ proofs: [String], scheme: String = "DPoP") async -> String {
            await test.scene.core.decide(Proofs.request(proofs, token, scheme: scheme), now: Scene.now).word
        }
        #expect(await verdict([Proofs.proof("two", token: "another")]) == "401 proof_token_mismatch")
        #expect(await verdict([]) == "401 missing_proof")
        #expect(await verdict([proof], scheme: "Bearer") == "401 bound_token_without_proof")
        #expect(await verdict([proof]) == "allowed")
        #expect(await verdict([proof]) == "401 replayed_proof")
        #expect(test.questions.count == 1)
    }

    @Test func anOpaqueTokenWithoutAKeyIsUnbound() async throws {
        let token = IntrospectionScene.opaque
        let test = try await IntrospectionScene(replays: ReplayTable(entries: 64), { Self.bind(&$0.providers[0]) })
        let facts = Proofs.request([Proofs.proof("one", token: token)], token)
        #expect(await test.scene.core.decide(facts, now: Scene.now).word == "401 unbound_token")
    }
}
