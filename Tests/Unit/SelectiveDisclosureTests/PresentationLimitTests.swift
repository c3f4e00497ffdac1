import JWTCore
import JWTTestSupport
import SelectiveDisclosure
import Testing

/// The form of a presentation, and its limits.
struct PresentationLimitTests {
    private static let given = #"["s1","given_name","Jane"]"#
    private static var token: String { Credential.token(#""_sd":["\#(Credential.digest(given))"]"#) }

    @Test(arguments: [
        ("", "malformed_presentation"), ("~", "issuer_token_refused: malformed_token"), ("~~", "malformed_presentation"),
        ("TOKEN", "malformed_presentation"), ("TOKEN~", "valid"), ("TOKEN~GIVEN~", "valid"), ("TOKEN~~", "malformed_presentation"),
        ("TOKEN~~GIVEN~", "malformed_presentation"), ("TOKEN~GIVEN~~", "malformed_presentation"), ("~TOKEN~", "invalid_disclosure"),
        ("TOKEN~GIVEN", "unexpected_key_binding"), (" TOKEN~", "issuer_token_refused: invalid_base64url"),
        ("TOKEN~\n", "unexpected_key_binding"), ("TOKEN~GIVEN~\u{7f}", "unexpected_key_binding"),
        ("TOKEN.x~", "issuer_token_refused: malformed_token"),
        ("GIVEN~TOKEN~", "invalid_disclosure"),
    ])
    func aPresentationIsATokenAndDisclosures(form: String, expected: String) {
        let text = form.replacing("TOKEN", with: Self.token).replacing("GIVEN", with: Credential.encoded(Self.given))
        let verdict = Credential.verdict(text)
        #expect(verdict == expected || expected == "invalid_disclosure" && verdict.hasPrefix(expected))
    }

    @Test
    func aPresentationHasAtMostItsBytes() {
        let presentation = Credential.presentation(of: Self.token, [Credential.encoded(Self.given)])
        var limits = PresentationLimits.standard
        limits.bytes = presentation.utf8.count
        #expect(Credential.verdict(presentation, limits: limits) == "valid")
        limits.bytes -= 1
        #expect(Credential.verdict(presentation, limits: limits) == "presentation_too_large")
    }

    @Test
    func aDisclosureHasAtMostItsBytes() {
        let presentation = Credential.presentation(of: Self.token, [Credential.encoded(Self.given)])
        var limits = PresentationLimits.standard
        limits.disclosureBytes = Credential.encoded(Self.given).utf8.count
        #expect(Credential.verdict(presentation, limits: limits) == "valid")
        limits.disclosureBytes -= 1
        #expect(Credential.verdict(presentation, limits: limits) == "presentation_too_large")
    }

    @Test(arguments: [0, 1, 127, 128, 129, 1000])
    func aPresentationHasAtMostItsDisclosures(count: Int) {
        let disclosures = (0..<count).map { #"["s","n\#($0)",\#($0)]"# }
        let digests = disclosures.map { "\"\(Credential.digest($0))\"" }.joined(separator: ",")
        var limits = PresentationLimits.standard
        limits.token.tokenBytes = 1 << 20
        limits.bytes = 1 << 20
        let presentation = Credential.presentation("\"_sd\":[\(digests)]", disclosures)
        #expect(Credential.verdict(presentation, limits: limits) == (count <= 128 ? "valid" : "too_many_disclosures"))
        limits.disclosures = 0
        #expect(Credential.verdict(presentation, limits: limits) == (count == 0 ? "valid" : "too_many_disclosures"))
    }

    /// A disclosure within a disclosure within a disclosure: the claims are as deep as the chain is long.
    @Test(arguments: [
        (1, "valid"), (16, "valid"), (17, "issuer_token_refused: nesting_too_deep"), (100, "issuer_token_refused: nesting_too_deep"),
    ])
    func aChainOfDisclosuresHasALimit(length: Int, expected: String) {
        var disclosures = [#"["s","n",1]"#]
        while disclosures.count < length {
            disclosures.append(#"["s","n",{"_sd":["\#(Credential.digest(disclosures[disclosures.count - 1]))"]}]"#)
        }
        let members = #""_sd":["\#(Credential.digest(disclosures[disclosures.count - 1]))"]"#
        // The top is one container, and each link but the last brings one.
        #expect(Credential.verdict(Credential.presentation(members, disclosures)) == expected)
    }

    @Test(arguments: [(12, true), (13, true), (14, false), (15, false), (16, false), (200, false)])
    func aValueOfADisclosureHasADepth(depth: Int, isValid: Bool) {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let disclosure = #"["s","n",\#(value)]"#
        let within = #"{"_sd":["\#(Credential.digest(disclosure))"]}"#
        // Three containers are around the value in the claims, and one in the disclosure.
        let verdict = Credential.verdict(Credential.presentation(#""a":[\#(within)]"#, [disclosure]))
        #expect((verdict == "valid") == isValid)
        #expect(isValid || verdict.hasSuffix("nesting_too_deep"))
    }

    /// Values are written by recursion: whatever the limits say, none overflows a stack.
    @Test(arguments: [(126, "valid"), (127, "valid"), (128, "issuer_token_refused: nesting_too_deep"), (30_000, nil)])
    func claimsHaveADepthWhateverTheLimits(depth: Int, expected: String?) {
        var limits = PresentationLimits.standard
        limits.bytes = 1 << 20
        (limits.token.tokenBytes, limits.token.depth, limits.token.values) = (1 << 20, 1 << 20, 1 << 20)
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let verdict = Credential.verdict(Credential.token("\"a\":\(value)") + "~", limits: limits)
        #expect(verdict == expected ?? "issuer_token_refused: nesting_too_deep")
    }

    @Test(arguments: [(Int.max, "valid"), (0, "invalid_disclosure: too_many_members"), (Int.min, "invalid_disclosure: too_many_members")])
    func anyNumberOfValuesMayBeTheLimit(values: Int, expected: String) {
        var limits = PresentationLimits.standard
        limits.token.values = values
        #expect(Credential.verdict(Credential.presentation(of: Self.token, [Credential.encoded(Self.given)]), limits: limits) == expected)
    }

    /// Values of many disclosures count together.
    @Test
    func theClaimsTogetherHaveTheLimitsOfAPayload() {
        let disclosures = (0..<4).map { #"["s","n\#($0)",[\#(Array(repeating: "1", count: 700).joined(separator: ","))]]"# }
        let digests = disclosures.map { "\"\(Credential.digest($0))\"" }.joined(separator: ",")
        #expect(Credential.verdict(Credential.presentation("\"_sd\":[\(digests)]", Array(disclosures.prefix(2)))) == "valid")
        #expect(
            Credential.verdict(Credential.presentation("\"_sd\":[\(digests)]", disclosures)) == "issuer_token_refused: too_many_members")
    }

    @Test
    func theIssuersTokenHasItsLimit() {
        var limits = PresentationLimits.standard
        limits.token.tokenBytes = Self.token.utf8.count - 1
        #expect(Credential.verdict(Self.token + "~", limits: limits) == "issuer_token_refused: token_too_large")
    }
}
