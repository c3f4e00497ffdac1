// An id_token that the provider has encrypted to the client (a nested JWT), and a private key in PEM.

import AssayTesting
import JWTCore
import JWTDecryption
import Testing

func subject(ofEncrypted token: String, privateKeys: [UInt8], issuerKeys: KeySet) throws -> String? {
    let decryptor = Decryptor(keys: try DecryptionKey.keys(in: privateKeys))
    let policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    let verifier = NestedVerifier(decryptor: decryptor, verifier: TokenVerifier(keys: issuerKeys, policy: policy))
    return try verifier.verify(token).subject
}

func innerToken(of token: String, in document: [UInt8]) throws -> String {
    let decryptor = Decryptor(keys: try DecryptionKey.keys(in: document))
    let inner = try decryptor.decrypt(token)
    return inner.text
}

func open(_ token: String, pem: String) throws -> UnverifiedToken {
    let key = try DecryptionKey(importing: pem.utf8.span, keyID: "enc-1", algorithms: [.ecdhES])
    return try Decryptor(keys: [key], encryptions: [.a256GCM]).decrypt(token)
}

@Suite struct EncryptedTokenTask {
    @Test func anIDTokenIsOpenedAndVerified() throws {
        let key = try TestKey(.es256), recipient = try TestRecipient(.ecdhES), now = SystemClock().now.seconds
        let inner = try key.token(claims: [
            "iss": "https://idp.example", "sub": "jane", "aud": "client-1", "exp": now + 600, "iat": now,
        ])
        let token = try recipient.encrypted(inner), document = Array(recipient.privateJWK.utf8)
        #expect(try subject(ofEncrypted: token, privateKeys: document, issuerKeys: key.keySet) == "jane")
        #expect(try innerToken(of: token, in: document) == inner)
        #expect(throws: VerificationError.self) { try subject(ofEncrypted: inner, privateKeys: document, issuerKeys: key.keySet) }
    }

    @Test func anIssuersTokenIsEncryptedForTests() throws {
        let issuer = try TestIssuer()
        let recipient = try TestRecipient(.ecdhES)
        let token = try recipient.encrypted(issuer.idToken())
        let decryptor = Decryptor(keys: [try recipient.decryptionKey])
        #expect(try decryptor.decrypt(token).text.split(separator: ".").count == 3)
    }

    @Test func aKeyInPEMOpensOnlyItsOwn() {
        // RFC 7748 section 6.1: Alice's key.
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq
            -----END PRIVATE KEY-----
            """
        #expect { try open(TestRecipient(.ecdhES, curve: .x25519, keyID: "enc-1").encrypted("a.b.c"), pem: pem) } throws: {
            ($0 as? VerificationError)?.code == .decryptionFailed
        }
    }
}
