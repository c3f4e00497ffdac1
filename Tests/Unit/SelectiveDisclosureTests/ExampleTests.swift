import JWTCore
import SelectiveDisclosure
import Testing

/// The examples of RFC 9901.
struct ExampleTests {
    private static func policy(_ example: RFC9901Example, nonce: String = RFC9901Example.nonce) -> PresentationPolicy {
        var claims = ClaimsPolicy()
        claims.requiresExpiration = false
        claims.types = ["example+sd-jwt", "vc+sd-jwt"]
        guard example.boundAt != nil else { return PresentationPolicy(claims: claims, keyBinding: .absent) }
        return PresentationPolicy(
            claims: claims, keyBinding: .required(KeyBindingPolicy(audience: RFC9901Example.audience, nonce: nonce)))
    }

    private static func verify(_ example: RFC9901Example, _ policy: PresentationPolicy) throws -> VerifiedPresentation {
        let verifier = PresentationVerifier(keys: try KeySet(jwk: RFC9901Example.issuerKey), policy: policy)
        return try verifier.verify(example.text, now: NumericDate(seconds: example.boundAt ?? 1_700_000_000))
    }

    private static func json(_ text: [UInt8]) throws -> String { String(decoding: try JSONTree(parsing: text).json, as: UTF8.self) }

    @Test(arguments: RFC9901Example.all)
    func everyExampleHasItsClaims(example: RFC9901Example) throws {
        let presentation = try Self.verify(example, Self.policy(example))
        #expect(try Self.json(presentation.payload) == Self.json(Array(example.claims.utf8)))
        #expect(presentation.keyBinding?.issuedAt.seconds == example.boundAt)
        #expect(presentation.disclosures == example.text.count { $0 == "~" } - 1)
        // RFC 7638, of the holder's key in all examples.
        if let binding = presentation.keyBinding { #expect(binding.thumbprint == "aISfTcr9M_Zd09AXGAAeFxnLbFY6lBa87UN515wm5d4") }
    }

    @Test(arguments: RFC9901Example.all)
    func noExampleSurvivesAChange(example: RFC9901Example) throws {
        let bytes = Array(example.text.utf8), policy = Self.policy(example)
        let verifier = PresentationVerifier(keys: try KeySet(jwk: RFC9901Example.issuerKey), policy: policy)
        for place in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: PresentationError.self, "byte \(place)") {
                try verifier.verify(changed, now: NumericDate(seconds: example.boundAt ?? 1_700_000_000))
            }
        }
    }

    @Test(arguments: [RFC9901Example.presentation, .vaccination])
    func anExampleWithKeyBindingIsForItsTransactionOnly(example: RFC9901Example) {
        #expect(throws: PresentationError(.keyBindingRefused, cause: VerificationError(.nonceMismatch, claim: .nonce))) {
            try Self.verify(example, Self.policy(example, nonce: "1234567891"))
        }
    }
}
