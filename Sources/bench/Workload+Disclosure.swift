import AssayTesting
import JWTCore
import SelectiveDisclosure

extension Workload {
    /// Presentations of SD-JWT with five disclosures, beside OpenSSL's bare operation: one signature, or two with key binding.
    ///
    /// - Parameters:
    ///   - tokens: for OpenSSL.
    ///   - isBound: whether the holder proves its key.
    init?(presenting tokens: BenchTokens, isBound: Bool) {
        guard let raw = RawOpenSSL(tokens), let issuer = try? TestKey(.es256), let holder = try? TestKey(.es256),
            let jwk = issuer.publicJWK, let keys = try? KeySet(jwk: jwk),
            let text = try? Self.presentation(issuer, holder, isBound: isBound)
        else { return nil }
        keys.prepare()
        var claims = ClaimsPolicy()
        claims.issuers = ["https://idp.example"]
        claims.types = ["dc+sd-jwt"]
        let binding = KeyBindingPolicy(audience: "https://verifier.example", nonce: "n-1")
        let policy = PresentationPolicy(claims: claims, keyBinding: isBound ? .required(binding) : .absent)
        let verifier = PresentationVerifier(keys: keys, policy: policy), bytes = Array(text.utf8)
        self.init(
            ours: { _ in (try? verifier.verify(bytes.span, now: Self.date))?.disclosures == 5 },
            raw: { isBound ? raw.verifies($0) && raw.verifies($0) : raw.verifies($0) })
    }

    private static let date: NumericDate = 1_700_000_000
    private static let hidden = ["given_name", "family_name", "birthdate", "address", "email"]

    private static func presentation(_ issuer: TestKey, _ holder: TestKey, isBound: Bool) throws -> String {
        let credential = try issuer.disclosableToken(
            claims: [
                "iss": "https://idp.example", "exp": 1_700_003_600, "given_name": "Jane", "family_name": "Doe", "birthdate": "1963-08-12",
                "address": ["country": "DE", "locality": "Köln"], "email": "jane@example.com", "phone": "+49 221 1",
            ], hiding: hidden + ["phone"], holder: holder)
        guard isBound else { return credential.presentation(disclosing: hidden) }
        return try credential.presentation(
            disclosing: hidden, provenBy: holder, audience: "https://verifier.example", nonce: "n-1", at: date)
    }
}
