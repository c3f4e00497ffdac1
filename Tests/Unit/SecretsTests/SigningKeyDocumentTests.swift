internal import JWTCore
internal import JWTSigning
internal import Secrets
internal import Testing

struct SigningKeyDocumentTests {
    @Test(arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .edDSA])
    func aSigningKeyComesBackFromItsDocument(algorithm: SignatureAlgorithm) throws {
        let key = try #require(SigningKey.generate(algorithm, keyID: "k"))
        let document = try #require(key.privateDocument)
        let again = try #require(SigningKey.importing(document, algorithm: algorithm, keyID: "k"))
        #expect(again.publicJWK == key.publicJWK)
    }

    @Test
    func aSharedSecretHasNone() { #expect(SigningKey.secret([1, 2, 3], algorithm: .hs256)?.privateDocument == nil) }
}
