import JWTCore
import JWTTestSupport
import SelectiveDisclosure
import Testing

/// The SD-JWTs of the EU wallet's library: one as its issuer hands it out, one as its holder presents it.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct PresentationTests {
    private static func claims(_ name: String, now: NumericDate = 1_700_000_000) throws -> String {
        let keys = try KeySet(jwk: ConformanceFolder.bytes("jwt/sd-jwt/examplesIssuerKey.json"))
        var claims = ClaimsPolicy()
        claims.issuers = ["https://example.com/issuer"]
        let verifier = PresentationVerifier(keys: keys, policy: PresentationPolicy(claims: claims, keyBinding: .absent))
        let payload = try verifier.verify(ConformanceFolder.bytes("jwt/sd-jwt/\(name)"), now: now).payload
        return String(decoding: try JSONTree(parsing: payload).json, as: UTF8.self)
    }

    @Test
    func theIssuersHasTheWholeAddress() throws {
        #expect(
            try Self.claims("exampleIssuanceSdJwt.txt") == """
                {"address":{"country":"DE","locality":"Schulpforta","region":"Sachsen-Anhalt","street_address":"Schulstr. 12"},\
                "exp":1735689661,"iat":1516239022,"iss":"https://example.com/issuer","sub":"6c5c0a49-b589-431d-bae7-219122a9ec2c"}
                """)
    }

    @Test
    func theHoldersHasWhatItShows() throws {
        #expect(
            try Self.claims("examplePresentationSdJwt.txt") == """
                {"address":{"locality":"Schulpforta","region":"Sachsen-Anhalt"},"exp":1735689661,"iat":1516239022,\
                "iss":"https://example.com/issuer","sub":"6c5c0a49-b589-431d-bae7-219122a9ec2c"}
                """)
        #expect(throws: PresentationError(.issuerTokenRefused, cause: VerificationError(.expired, claim: .expiration))) {
            try Self.claims("examplePresentationSdJwt.txt", now: 1_735_689_721)
        }
    }
}
