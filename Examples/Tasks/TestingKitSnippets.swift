// The snippets of AssayTesting's documentation, which quotes them line by line.

import AssayTesting
import DPoP
import JWKSCache
import JWSDocuments
import JWTCore
import JWTDecryption
import SelectiveDisclosure
import Testing

@Suite struct TestingKitSnippets {
    private struct User { let id = "jane" }

    @Test func aKeySigns() throws {
        let key = try TestKey(.es256)
        let token = try key.token(claims: ["iss": "https://idp.example", "aud": "client-1", "exp": 1_700_003_600])
        let verifier = TokenVerifier(keys: try key.keySet, policy: ClaimsPolicy(issuer: "https://idp.example", audience: "client-1"))
        #expect(try verifier.verify(token, now: 1_700_000_000).issuer == "https://idp.example")
    }

    @Test func claimsAreADictionary() throws {
        let key = try TestKey(.es256), user = User()
        let token = try key.token(claims: ["sub": user.id, "aud": ["client-1", "client-2"], "exp": 1_700_003_600, "admin": true])
        #expect(try TokenVerifier(keys: key.keySet, policy: ClaimsPolicy()).verify(token, now: 1_700_000_000).subject == "jane")
    }

    @Test func aHolderShowsSomeClaims() throws {
        let issuer = try TestKey(.es256), holder = try TestKey(.edDSA), nonce = "n-1", clock = ManualClock(date: 1_700_000_000)
        let credential = try issuer.disclosableToken(
            claims: ["iss": "https://idp.example", "exp": 1_700_003_600, "given_name": "Jane", "birthdate": "1963-08-12"],
            hiding: ["given_name", "birthdate"], holder: holder)
        let text = try credential.presentation(
            disclosing: ["given_name"], provenBy: holder, audience: "https://verifier.example", nonce: nonce, at: clock.now)
        let binding = KeyBindingPolicy(audience: "https://verifier.example", nonce: nonce)
        let policy = PresentationPolicy(claims: ClaimsPolicy(), keyBinding: .required(binding))
        let claims = try PresentationVerifier(keys: try issuer.keySet, policy: policy, clock: clock).verify(text).claims
        #expect(claims.string("given_name") == "Jane" && claims["birthdate"] == nil)
    }

    @Test func aClientProvesItsPossession() throws {
        let client = try TestKey(.es256), server = try TestKey(.es256)
        let token = try server.token(claims: ["cnf": ["jkt": client.thumbprint], "exp": 1_700_003_600])
        let proof = try client.proof(method: "GET", url: "https://api.example/orders", accessToken: token, issuedAt: 1_700_000_000)
        let key = try #require(KeyThumbprint(client.thumbprint))
        let verified = try ProofVerifier().verify(
            proof, method: "GET", url: "https://api.example/orders", accessToken: token, boundTo: key, now: 1_700_000_000)
        #expect(verified.thumbprint == key)
    }

    @Test func aRecipientDecrypts() throws {
        let issuer = try TestIssuer()
        let recipient = try TestRecipient(.ecdhES)
        let token = try recipient.encrypted(issuer.idToken())
        let decryptor = Decryptor(keys: [try recipient.decryptionKey])
        let verifier = TokenVerifier(keys: try issuer.keySet, policy: ClaimsPolicy())
        #expect(try NestedVerifier(decryptor: decryptor, verifier: verifier).verify(token).subject == "jane")
    }

    @Test func twoPartiesSignADocument() throws {
        let release = try TestKey(.es256, keyID: "release"), security = try TestKey(.edDSA, keyID: "security")
        let policy = DocumentPolicy(requirement: .all, signers: ["release", "security"], types: ["manifest+jws"])
        let verifier = DocumentVerifier(keys: try TestKey.keySet(of: [release, security]), policy: policy)
        var manifest = SignedDocument(#"{"version":7}"#)
        try manifest.sign(with: release, protected: ["typ": "manifest+jws"])
        try manifest.sign(with: security, protected: ["typ": "manifest+jws"])
        let document = try verifier.verify(manifest.general())
        #expect(document.payload == manifest.payload && document.signatures.count == 2)
    }

    @Test func aServerAnswersAboutAToken() throws {
        let issuer = try TestIssuer()
        let answer = try issuer.introspection(["scope": "orders"])
        let refusal = try issuer.introspection(["active": false])
        let signed = try issuer.introspectionToken(answer, audience: "gateway")
        #expect(refusal.contains(#""active":false"#) && signed.split(separator: ".").count == 3)
    }

    @Test func defectsOfAProof() throws {
        let clock = ManualClock(), issuer = try TestIssuer(clock: clock), client = try TestKey(.es256)
        let token = try issuer.accessToken(boundTo: client), url = "https://api.example/orders"
        let old = try client.proof(method: "GET", url: url, accessToken: token, issuedAt: clock.now, claims: ["iat": 1_600_000_000])
        let unbound = try client.proof(method: "GET", url: url, issuedAt: clock.now)
        let keyless = try client.proof(method: "GET", url: url, accessToken: token, issuedAt: clock.now, header: ["jwk": nil])
        let key = try #require(KeyThumbprint(client.thumbprint))
        for proof in [old, unbound, keyless] {
            #expect(throws: VerificationError.self) {
                try ProofVerifier(clock: clock).verify(proof, method: "GET", url: url, accessToken: token, boundTo: key)
            }
        }
    }

    @Test func anIssuerIsItsOwnTransport() async throws {
        let clock = ManualClock(), issuer = try TestIssuer(clock: clock)
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, clock: clock)
        let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
        let verifier = RefreshingVerifier(keys: keys, policy: policy, clock: clock)
        let token = try await verifier.verify(issuer.idToken())
        #expect(token.subject == "jane")
    }

    @Test func aClaimOfATokenIsReplaced() throws {
        let issuer = try TestIssuer(), nonce = "n-1", accessToken = try issuer.accessToken()
        let token = try issuer.idToken(["nonce": nonce, "exp": 1_700_000_000], accessToken: accessToken)
        let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
        let login = TokenVerifier(keys: try issuer.keySet, policy: policy).expecting(nonce: nonce).expecting(accessToken: accessToken)
        #expect(throws: VerificationError.self) { try login.verify(token) }
    }

    @Test func aTransportFailsWhenATestSaysSo() async throws {
        let issuer = try TestIssuer()
        let transport = ScriptedTransport(serving: issuer)
        transport.answer(issuer.keysURL, status: 503)
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: transport)
        #expect(await keys.refresh() == false)
    }

    @Test func aClockLetsATokenExpire() throws {
        let key = try TestKey(.es256), keys = try key.keySet, policy = ClaimsPolicy()
        let token = try key.token(claims: ["exp": 1_700_000_600])
        let clock = ManualClock(date: 1_700_000_000)
        let verifier = TokenVerifier(keys: keys, policy: policy, clock: clock)
        #expect(try verifier.verify(token).expiration == 1_700_000_600)
        clock.advance(by: .seconds(3600))
        #expect(throws: VerificationError.self) { try verifier.verify(token) }
    }

    @Test func aProviderRotatesAndFails() throws {
        let provider = try LoopbackProvider()
        let token = try provider.issuer.idToken(["nonce": "n-1"])
        try provider.issuer.rotate()
        provider.issuer.isUp = false
        #expect(try !token.isEmpty && provider.issuer.key().keyID == "key-3" && !provider.issuer.isUp)
    }
}

private func certificateBoundTokens() throws -> (token: String, certificate: TestCertificate) {
    let certificate = try TestCertificate(key: TestKey(.es256)), server = try TestKey(.es256)
    let token = try server.token(claims: ["cnf": certificate.confirmation, "exp": 1_700_003_600])
    return (token, certificate)
}
