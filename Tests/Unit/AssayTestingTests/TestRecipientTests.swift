import AssayTesting
import JWTCore
import JWTDecryption
import Testing

/// A recipient's private JWK is enough to make it again.
struct TestRecipientTests {
    /// Each kind of key; the curve has no effect on RSA and shared secrets.
    private static let kinds: [(KeyManagementAlgorithm, AgreementCurve)] =
        [(.rsaOAEP256, .p256), (.direct, .p256)] + AgreementCurve.allCases.map { (.ecdhESA256KW, $0) }

    @Test(arguments: kinds)
    func aKeyComesBackFromItsPrivateJWK(algorithm: KeyManagementAlgorithm, curve: AgreementCurve) throws {
        let recipient = try TestRecipient(algorithm, .a128CBCHS256, curve: curve)
        let copy = try TestRecipient(privateJWK: recipient.privateJWK, encryption: .a128CBCHS256)
        #expect(copy.algorithm == algorithm && copy.encryption == .a128CBCHS256 && copy.keyID == "test-recipient")
        #expect(copy.privateJWK == recipient.privateJWK && copy.publicJWK == recipient.publicJWK)
        let decryptor = Decryptor(keys: [try recipient.decryptionKey])
        let token = try TestKey(.es256).token(claims: ["sub": "jane"])
        #expect(try decryptor.decrypt(copy.encrypted(token)).text == token)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"kty":"oct","k":"AAAA","alg":"A256GCM"}"#, #"{"kty":"EC","crv":"P-256","alg":"ECDH-ES"}"#,
        #"{"kty":"oct","k":"WlpaWlpaWlpaWlpaWlpaWg"}"#,
    ])
    func whatIsNoPrivateJWKIsRefused(document: String) {
        #expect(throws: TestKeyError.notAPrivateJWK) { try TestRecipient(privateJWK: document) }
    }

    @Test func aPublicJWKIsNoPrivateOne() throws {
        let jwk = try #require(TestRecipient(.ecdhES).publicJWK)
        #expect(throws: TestKeyError.notAPrivateJWK) { try TestRecipient(privateJWK: jwk) }
    }
}
