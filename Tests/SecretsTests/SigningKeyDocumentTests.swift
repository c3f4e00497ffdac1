internal import JWTCore
internal import JWTSigning
internal import Secrets
internal import Testing

@Suite("Private documents of signing keys")
struct SigningKeyDocumentTests {
    @Test("A signing key comes back from its document", arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .edDSA])
    func comesBack(algorithm: SignatureAlgorithm) throws {
        let key = try #require(SigningKey.generate(algorithm, keyID: "k"))
        let document = try #require(key.privateDocument)
        let again = try #require(SigningKey.importing(document, algorithm: algorithm, keyID: "k"))
        #expect(again.publicJWK == key.publicJWK)
    }

    @Test("A shared secret has none")
    func secret() { #expect(SigningKey.secret([1, 2, 3], algorithm: .hs256)?.privateDocument == nil) }
}
