import DPoP
import JWTCore
import Testing

/// The examples of RFC 9449, with their facts: a proof for the token endpoint (figure 4), one for a resource (figure 12), and the key's
/// thumbprint (figures 9 and 11).
struct ExampleTests {
    private static let header = """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCR\
        nMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19
        """
    private static let forToken =
        header + """
            .eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ\
            .2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
            """
    private static let forResource =
        header + """
            .eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsIml\
            hdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9\
            .2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA
            """
    private static let accessToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
    private static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    @Test
    func theProofForTheTokenEndpointHolds() throws {
        let proof = try ProofVerifier().verify(
            Self.forToken, method: "POST", url: "https://server.example.com/token", now: 1_562_262_617)
        #expect(proof.thumbprint.description == Self.thumbprint && proof.algorithm == .es256 && proof.issuedAt == 1_562_262_616)
        #expect(String(decoding: proof.tokenID, as: UTF8.self) == "-BwC3ESc6acc2lTc")
    }

    @Test
    func theProofForTheResourceHoldsForItsTokenAndItsKey() throws {
        let key = try #require(KeyThumbprint(Self.thumbprint))
        let proof = try ProofVerifier().verify(
            Self.forResource, method: "GET", url: "https://resource.example.org/protectedresource", accessToken: Self.accessToken,
            boundTo: key, now: 1_562_262_618)
        #expect(proof.thumbprint == key && proof.end == 1_562_262_688)
    }

    @Test
    func theProofForTheTokenEndpointIsNoneForTheResource() {
        #expect(throws: VerificationError(.missingProofClaim)) {
            try ProofVerifier().verify(
                Self.forToken, method: "POST", url: "https://server.example.com/token", accessToken: Self.accessToken,
                boundTo: #require(KeyThumbprint(Self.thumbprint)), now: 1_562_262_617)
        }
    }
}
