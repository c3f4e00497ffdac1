import JWTCore
import JWTTestSupport
import SelectiveDisclosure
import Testing

/// The holder's proof of its key (RFC 9901 sections 4.3 and 7.3).
struct KeyBindingTests {
    private static let given = #"["s1","given_name","Jane"]"#
    private static let family = #"["s2","family_name","Doe"]"#

    private static func presentation(_ confirmation: String = Credential.confirmation, _ disclosures: [String] = [given]) -> String {
        let digests = #""_sd":["\#(Credential.digest(given))","\#(Credential.digest(family))"]"#
        return Credential.presentation(confirmation.isEmpty ? digests : "\(confirmation),\(digests)", disclosures)
    }

    private static func verdict(_ presentation: String, now: NumericDate = Credential.now) -> String {
        Credential.verdict(presentation, Credential.required, now: now)
    }

    /// A presentation whose key binding token has these claims.
    private static func bound(_ claims: (String) -> String, type: String? = "kb+jwt") -> String {
        let presentation = presentation()
        return presentation + Credential.holder.token(claims(presentation), type: type)
    }

    @Test
    func theHolderProvesItsKey() throws {
        let verifier = PresentationVerifier(keys: Credential.issuer.keySet, policy: Credential.required)
        let presentation = try verifier.verify(Credential.bound(Self.presentation()), now: Credential.now)
        #expect(presentation.claims["given_name"]?.string?.equals("Jane") ?? false)
        #expect(presentation.claims["family_name"] == nil && presentation.disclosures == 1)
        let binding = try #require(presentation.keyBinding)
        #expect(binding.issuedAt == 1_700_000_100 && binding.algorithm == .es256)
        #expect(binding.thumbprint == Credential.holder.keySet.keys[0].thumbprint)
        #expect("\(presentation)" == "VerifiedPresentation(disclosures: 1, with key binding)")
    }

    /// A holder makes as many keys as it likes. None of them takes room from an issuer's.
    @Test
    func theHoldersKeyIsNotPreparedWithThoseOfIssuers() throws {
        let jwk = Array(Credential.holder.jwk.utf8)
        #expect(try KeySet(senderJWK: jwk.span).keys[0].kernelKey == nil)
        #expect(try KeySet(jwk: jwk).keys[0].kernelKey != nil)
        #expect(Self.verdict(Credential.bound(Self.presentation())) == "valid")
    }

    @Test
    func thePolicyDecidesWhetherTheKeyIsProven() {
        let presentation = Self.presentation(), bound = Credential.bound(presentation)
        #expect(Self.verdict(bound) == "valid")
        #expect(Self.verdict(presentation) == "missing_key_binding")
        #expect(Credential.verdict(presentation, Credential.unbound) == "valid")
        #expect(Credential.verdict(bound, Credential.unbound) == "unexpected_key_binding")
    }

    /// A token with a proof for a key that no issuer named.
    @Test(arguments: [
        ("", "missing_confirmation"), (#""cnf":null"#, "unusable_confirmation"), (#""cnf":"x""#, "unusable_confirmation"),
        (#""cnf":{}"#, "unusable_confirmation"), (#""cnf":{"kid":"holder"}"#, "unusable_confirmation"),
        (#""cnf":{"jkt":"NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"}"#, "unusable_confirmation"),
        (#""cnf":{"jwk":null}"#, "unusable_confirmation"), (#""cnf":{"jwk":"x"}"#, "unusable_confirmation"),
        (#""cnf":{"jwk":[]}"#, "unusable_confirmation"), (#""cnf":{"jwk":{}}"#, "unusable_confirmation: invalid_key"),
        (#""cnf":{"jwk":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}}"#, "unusable_confirmation: invalid_key"),
        (#""cnf":{"jwk":{"kty":"XX"}}"#, "unusable_confirmation: key_algorithm_mismatch"),
        (#""cnf":{"jwk":{"kty":"oct","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}}"#, "unusable_confirmation"),
    ])
    func theKeyIsThatOfTheIssuersToken(confirmation: String, expected: String) {
        #expect(Self.verdict(Credential.bound(Self.presentation(confirmation))) == expected)
    }

    @Test
    func aKeyForEncryptionProvesNothing() {
        let jwk = Credential.holder.jwk.replacing(#""use":"sig""#, with: #""use":"enc""#)
        #expect(Self.verdict(Credential.bound(Self.presentation(#""cnf":{"jwk":\#(jwk)}"#))) == "unusable_confirmation: key_use_mismatch")
    }

    /// A private key that stands in a token is everybody's.
    @Test
    func aPublishedPrivateKeyProvesNothing() {
        let jwk = Credential.holder.jwk.dropLast() + #","d":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"}"#
        #expect(Self.verdict(Credential.bound(Self.presentation(#""cnf":{"jwk":\#(jwk)}"#))) == "unusable_confirmation")
    }

    @Test
    func anotherKeyProvesNothing() {
        let presentation = Self.presentation(), other = TokenForge(.es256, keyID: nil), larger = TokenForge(.es384, keyID: nil)
        let claims = Credential.binding(presentation)
        #expect(Self.verdict(presentation + other.token(claims, type: "kb+jwt")) == "key_binding_refused: signature_invalid")
        #expect(Self.verdict(presentation + larger.token(claims, type: "kb+jwt")) == "key_binding_refused: key_algorithm_mismatch")
        #expect(
            Self.verdict(presentation + Credential.issuer.token(claims, type: "kb+jwt")) == "key_binding_refused: key_algorithm_mismatch")
        let unsecured = Credential.holder.token(header: #"{"alg":"none","typ":"kb+jwt"}"#, payload: claims)
        #expect(Self.verdict(presentation + unsecured) == "key_binding_refused: unsecured_token")
    }

    /// The issuer's and every verifier's knowledge of a shared key makes it no proof, whatever the policy says.
    @Test
    func aSharedKeyProvesNothing() {
        let shared = TokenForge(.hs256, keyID: nil)
        let presentation = Self.presentation(#""cnf":{"jwk":\#(shared.jwk)}"#)
        var binding = KeyBindingPolicy(audience: Credential.audience, nonce: Credential.nonce)
        binding.algorithms = [.hs256]
        let policy = PresentationPolicy(claims: Credential.credential, keyBinding: .required(binding))
        let text = presentation + shared.token(Credential.binding(presentation), type: "kb+jwt")
        #expect(Credential.verdict(text, policy) == "unusable_confirmation")
    }

    @Test(arguments: [
        ("kb+jwt", "valid"), ("application/kb+jwt", "valid"), ("KB+JWT", "valid"), ("JWT", "key_binding_refused: type_mismatch"),
        ("kb-jwt", "key_binding_refused: type_mismatch"), ("dc+sd-jwt", "key_binding_refused: type_mismatch"),
        ("", "key_binding_refused: type_mismatch"), (nil, "key_binding_refused: type_mismatch"),
    ])
    func theProofHasItsType(type: String?, expected: String) {
        #expect(Self.verdict(Self.bound({ Credential.binding($0) }, type: type)) == expected)
    }

    @Test(arguments: [
        (#""https://verifier.example""#, "valid"), (#""https:\/\/verifier.example""#, "valid"),
        (#""https://verifier.example/""#, "key_binding_refused: audience_mismatch"),
        (#""https://other.example""#, "key_binding_refused: audience_mismatch"), (#""""#, "key_binding_refused: audience_mismatch"),
        (#"["https://verifier.example"]"#, "key_binding_refused: invalid_claim"),
        (#"["https://verifier.example","https://other.example"]"#, "key_binding_refused: invalid_claim"),
        ("null", "key_binding_refused: invalid_claim"), ("7", "key_binding_refused: invalid_claim"),
    ])
    func theProofIsForThisVerifier(audience: String, expected: String) {
        #expect(Self.verdict(Self.bound { Credential.binding($0, audience: audience) }) == expected)
    }

    @Test(arguments: [
        (#""n-1""#, "valid"), (#""n-2""#, "key_binding_refused: nonce_mismatch"), (#""""#, "key_binding_refused: nonce_mismatch"),
        (#""N-1""#, "key_binding_refused: nonce_mismatch"), ("1", "key_binding_refused: invalid_claim"),
        (#"["n-1"]"#, "key_binding_refused: invalid_claim"), ("null", "key_binding_refused: invalid_claim"),
    ])
    func theProofIsForThisTransaction(nonce: String, expected: String) {
        #expect(Self.verdict(Self.bound { Credential.binding($0, nonce: nonce) }) == expected)
    }

    @Test
    func aVerifierWithoutANonceAcceptsNoProof() {
        let text = Self.bound { Credential.binding($0, nonce: #""""#) }
        for nonce in [nil, ""] {
            let binding = KeyBindingPolicy(audience: Credential.audience, nonce: nonce)
            let policy = PresentationPolicy(claims: Credential.credential, keyBinding: .required(binding))
            #expect(Credential.verdict(text, policy) == "key_binding_refused: nonce_mismatch")
        }
        let nameless = KeyBindingPolicy(audience: "", nonce: Credential.nonce)
        let policy = PresentationPolicy(claims: Credential.credential, keyBinding: .required(nameless))
        let unaddressed = Self.bound { Credential.binding($0, audience: #""""#) }
        #expect(Credential.verdict(unaddressed, policy) == "key_binding_refused: audience_mismatch")
    }

    @Test
    func aNonceCanBeSaidForEachTransaction() throws {
        let policy = PresentationPolicy(
            claims: Credential.credential, keyBinding: .required(KeyBindingPolicy(audience: Credential.audience)))
        let verifier = PresentationVerifier(keys: Credential.issuer.keySet, policy: policy)
        let text = Credential.bound(Self.presentation())
        #expect(throws: PresentationError.self) { try verifier.verify(text, now: Credential.now) }
        #expect(throws: PresentationError.self) { try verifier.expecting(nonce: "n-2").verify(text, now: Credential.now) }
        #expect(try verifier.expecting(nonce: "n-1").verify(text, now: Credential.now).keyBinding != nil)
    }

    /// Five minutes and the leeway of one.
    @Test(arguments: [
        ("1700000100", "valid"), ("1700000160", "valid"), ("1700000161", "key_binding_refused: issued_in_future"),
        ("1699999741", "valid"), ("1699999740", "key_binding_refused: too_old"), ("0", "key_binding_refused: too_old"),
        (#""1700000100""#, "key_binding_refused: invalid_claim"), ("null", "key_binding_refused: invalid_claim"),
    ])
    func theProofIsFresh(date: String, expected: String) {
        #expect(Self.verdict(Self.bound { Credential.binding($0, date: date) }) == expected)
    }

    @Test(arguments: [
        ("aud", "key_binding_refused: missing_claim"), ("nonce", "key_binding_refused: missing_claim"),
        ("iat", "key_binding_refused: missing_claim"), ("sd_hash", "presentation_mismatch"),
    ])
    func theProofHasAllItsClaims(name: String, expected: String) {
        let text = Self.bound { presentation in
            Credential.binding(presentation).replacing("\"\(name)\":", with: "\"x_\(name)\":")
        }
        #expect(Self.verdict(text) == expected)
    }

    @Test(arguments: [
        (#""exp":1700000041"#, "valid"), (#""exp":1700000040"#, "key_binding_refused: expired"),
        (#""nbf":1700000161"#, "key_binding_refused: not_yet_valid"), (#""exp":"x""#, "key_binding_refused: invalid_claim"),
        (#""sub":7"#, "key_binding_refused: invalid_claim"), (#""iat":1"#, "key_binding_refused: duplicate_member"),
        (#""other":{"a":[]}"#, "valid"),
    ])
    func theProofIsAValidTokenInAllElse(member: String, expected: String) {
        #expect(Self.verdict(Self.bound { Credential.binding($0).dropLast() + ",\(member)}" }) == expected)
    }

    /// The same issuer's token, with other disclosures.
    @Test
    func theProofIsForThisPresentation() {
        let one = Self.presentation(Credential.confirmation, [Self.given]),
            both = Self.presentation(Credential.confirmation, [Self.given, Self.family])
        let token = one.prefix { $0 != "~" }
        let proof = Credential.holder.token(Credential.binding(one), type: "kb+jwt")
        #expect(Self.verdict(one + proof) == "valid")
        #expect(Self.verdict("\(token)~" + proof) == "presentation_mismatch")
        #expect(
            Self.verdict("\(token)~\(Credential.encoded(Self.given))~\(Credential.encoded(Self.family))~" + proof)
                == "presentation_mismatch")
        #expect(Self.verdict("\(token)~\(Credential.encoded(Self.family))~" + proof) == "presentation_mismatch")
        let reversed = "\(token)~\(Credential.encoded(Self.family))~\(Credential.encoded(Self.given))~"
        #expect(Self.verdict(reversed + Credential.holder.token(Credential.binding(both), type: "kb+jwt")) == "presentation_mismatch")
    }

    @Test(arguments: ["", "x", "e3NkfQ"])
    func aDigestOfNothingIsRefused(digest: String) {
        let text = Self.bound { presentation in
            Credential.binding(presentation).replacing(Credential.digest(of: presentation), with: digest)
        }
        #expect(Self.verdict(text) == "presentation_mismatch")
    }

    /// `sd_hash` has the digest of the disclosures (RFC 9901 section 4.3.1).
    @Test(arguments: [(Digest.sha512, "valid"), (.sha256, "presentation_mismatch")])
    func theProofHasTheDigestOfTheDisclosures(digest: Digest, expected: String) {
        let members = #"\#(Credential.confirmation),"_sd_alg":"sha-512","_sd":["\#(Credential.digest(Self.given, .sha512))"]"#
        var policy = Credential.required
        policy.digests = [.sha512]
        let presentation = Credential.presentation(members, [Self.given])
        #expect(Credential.verdict(Credential.bound(presentation, digest: digest), policy) == expected)
    }

    @Test(arguments: ["x", "a.b", "a.b.c.d", "..", "e30.e30.AA"])
    func theProofIsAToken(text: String) {
        #expect(Self.verdict(Self.presentation() + text).hasPrefix("key_binding_refused"))
    }

    /// The issuer's token is judged first, and an issuer cannot sign for a holder.
    @Test
    func aProofOfARefusedTokenIsNotJudged() {
        let presentation = Self.presentation(#""cnf":{}"#)
        #expect(Self.verdict(presentation + "x", now: 1_800_000_000) == "issuer_token_refused: expired")
    }

    @Test
    func anOffsetIsThatOfThePresentation() {
        let presentation = Self.presentation()
        let verifier = PresentationVerifier(keys: Credential.issuer.keySet, policy: Credential.required)
        #expect(throws: PresentationError(.keyBindingRefused, cause: VerificationError(.invalidBase64URL, at: presentation.utf8.count + 1)))
        {
            try verifier.verify(presentation + "e=.x.y", now: Credential.now)
        }
    }
}
