import AssayTesting
import JWTCore
import JWTDecryption
import Testing

/// What is encrypted to a recipient opens with its key, and is then judged as any token.
struct NestedTokenTests {
    @Test(arguments: Nested.kinds, ContentEncryption.allCases)
    func aTokenOfEveryKindOpensWithItsKeyAlone(_ kind: Nested.Kind, _ encryption: ContentEncryption) throws {
        let recipient = try Nested.recipient(kind, encryption), token = try recipient.encrypted(Nested.token())
        #expect(try Nested.verdict(token, recipient) == "valid")
        let other = try TestRecipient(
            kind.algorithm == .rsaOAEP || kind.algorithm == .rsaOAEP256 ? .ecdhES : kind.algorithm, encryption, curve: kind.curve)
        let verdict = try Nested.verdict(token, other)
        #expect(verdict == (kind.algorithm.name.hasPrefix("RSA") ? "key_algorithm_mismatch" : "decryption_failed"))
    }

    @Test func theInnerTokenIsStillUnverified() throws {
        let recipient = try TestRecipient(.ecdhES), decryptor = Decryptor(keys: [try recipient.decryptionKey])
        let inner = try Nested.token()
        let unverified: UnverifiedToken = try decryptor.decrypt(recipient.encrypted(inner))
        #expect(unverified.text == inner)
        #expect("\(unverified)" == "UnverifiedToken(\(inner.utf8.count) bytes)")
    }

    @Test func theInnerTokenIsJudgedByTheSamePolicy() throws {
        let recipient = try TestRecipient(.ecdhESA256KW), stranger = try TestKey(.es256)
        func verdict(_ inner: String) throws -> String { try Nested.verdict(recipient.encrypted(inner), recipient) }
        #expect(try verdict(Nested.token(["exp": 1_600_000_000])) == "expired")
        #expect(try verdict(Nested.token(["aud": "client-2"])) == "audience_mismatch")
        #expect(try verdict(Nested.token(["iss": "https://other.example"])) == "issuer_mismatch")
        #expect(try verdict(stranger.token(claims: Nested.claims as [String: (any Encodable)?])) == "signature_invalid")
        let unsecured = Parts(try Nested.token()).header(#"{"alg":"none"}"#)
        #expect(try verdict(unsecured) == "unsecured_token")
    }

    @Test func whatIsOnlyEncryptedIsNoToken() throws {
        let recipient = try TestRecipient(.ecdhES)
        func verdict(_ content: String) throws -> String { try Nested.verdict(recipient.encrypted(content), recipient) }
        #expect(try verdict(#"{"iss":"https://idp.example","sub":"jane","x":"a.b.c"}"#) == "not_nested")
        #expect(try verdict("") == "not_nested")
        #expect(try verdict(".a.b") == "not_nested")
        #expect(try verdict("a.b") == "not_nested")
    }

    @Test func nestingHasOneLevel() throws {
        let recipient = try TestRecipient(.ecdhES)
        let twice = try recipient.encrypted(recipient.encrypted(Nested.token()))
        #expect(try Nested.verdict(twice, recipient) == "not_nested")
        let inner = try Nested.signer.get().token(header: #"{"alg":"ES256","cty":"JWT","kid":"test-key"}"#, payload: Nested.token())
        #expect(try Nested.verdict(recipient.encrypted(inner), recipient) == "type_mismatch")
    }

    @Test(
        arguments: [
            ("JWT", "valid"), ("jwt", "valid"), ("application/jwt", "valid"), ("json", "type_mismatch"), ("JWE", "type_mismatch"),
            (nil, "type_mismatch"),
        ] as [(String?, String)])
    func theContentTypeSaysThatATokenIsInside(type: String?, expected: String) throws {
        let recipient = try TestRecipient(.ecdhES), token = try recipient.encrypted(Nested.token(), header: ["cty": type])
        #expect(try Nested.verdict(token, recipient) == expected)
        var decryptor = Decryptor(keys: [try recipient.decryptionKey])
        decryptor.acceptsMissingContentType = true
        let isOpen = (try? decryptor.decrypt(token)) != nil
        #expect(isOpen == (expected == "valid" || type == nil))
    }

    @Test func aSignedTokenIsNotTakenForAnEncryptedOne() throws {
        let recipient = try TestRecipient(.direct)
        #expect(try Nested.verdict(Nested.token(), recipient) == "unencrypted_token")
    }

    @Test func anEncryptedTokenIsStillNoneForAVerifierOfSignatures() throws {
        let token = try TestRecipient(.direct).encrypted(Nested.token())
        let verifier = TokenVerifier(keys: try Nested.signer.get().keySet, policy: ClaimsPolicy())
        #expect { try verifier.verify(token) } throws: { ($0 as? VerificationError)?.code == .encryptedToken }
    }

    @Test func partyInformationIsPartOfTheAgreement() throws {
        let recipient = try TestRecipient(.ecdhES)
        let token = try recipient.encrypted(Nested.token(), header: ["apu": "QWxpY2U", "apv": "Qm9i"])
        #expect(try Nested.verdict(token, recipient) == "valid")
        let parts = Parts(token)
        let other = parts.header(parts.headerText.replacing("QWxpY2U", with: "QWxpY2Q"))
        #expect(try Nested.verdict(other, recipient) == "decryption_failed")
    }

    @Test func severalThreadsShareADecryptor() async throws {
        let recipients = try [KeyManagementAlgorithm.ecdhESA128KW, .direct].map { try TestRecipient($0, keyID: $0.name) }
        let verifier = try Nested.verifier(recipients.map { try $0.decryptionKey })
        let tokens = try recipients.map { try $0.encrypted(Nested.token()) }
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask { (0..<50).allSatisfy { Nested.verdict(tokens[($0 + task) % 2], verifier) == "valid" } }
            }
            for await isValid in group { #expect(isValid) }
        }
    }
}
