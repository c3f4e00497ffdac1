import AssayTesting
import JWTCore
import Testing

/// Certificates that a test makes.
@Suite struct TestCertificateTests {
    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .edDSA, .rs256])
    func itIsOneCertificateWithItsOwnKey(algorithm: SignatureAlgorithm) throws {
        let key = try TestKey(algorithm), certificate = try TestCertificate(key: key)
        #expect(try CertificateThumbprint(ofCertificate: certificate.der.span).description == certificate.thumbprint)
        // The key of a certificate is read by libcrypto.
        let read = try VerificationKey(pem: certificate.pem), published = try key.keySet.keys.first
        #expect(read.thumbprint == published?.thumbprint && read.thumbprint != nil)
        #expect(certificate.privateKeyPEM?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
        #expect(try TestCertificate(key: key).thumbprint != certificate.thumbprint)
    }

    @Test func aTokenIsBoundToIt() throws {
        let server = try TestKey(.es256), certificate = try TestCertificate(name: "c1", key: TestKey(.es256))
        let token = try server.token(claims: ["exp": 4_000_000_000, "cnf": certificate.confirmation])
        let verified = try TokenVerifier(keys: try server.keySet, policy: ClaimsPolicy()).verify(token)
        let thumbprint = try #require(CertificateThumbprint(certificate.thumbprint))
        #expect(try verified.claims.confirmation == .certificateThumbprint(thumbprint))
    }

    @Test(arguments: [SignatureAlgorithm.hs256, .ps256]) func anotherKeyHasNone(algorithm: SignatureAlgorithm) throws {
        let key = try TestKey(algorithm)
        #expect(throws: TestKeyError.unavailable(algorithm)) { try TestCertificate(key: key) }
    }
}
