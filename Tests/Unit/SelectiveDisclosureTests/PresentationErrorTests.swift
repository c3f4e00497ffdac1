import Foundation
import JWTCore
import JWTTestSupport
import SelectiveDisclosure
import Testing

struct PresentationErrorTests {
    /// Numbers and names never change: logs and metrics use them.
    @Test
    func numbersAndNamesAreStable() {
        let expected: [(UInt16, String)] = [
            (770, "issuer_token_refused"), (771, "malformed_presentation"), (772, "presentation_too_large"), (773, "too_many_disclosures"),
            (774, "invalid_disclosure"), (775, "duplicate_disclosure"), (776, "unused_disclosure"), (777, "invalid_digests"),
            (778, "duplicate_digest"), (779, "duplicate_claim"), (780, "forbidden_disclosure"), (781, "unsupported_digest"),
            (782, "missing_key_binding"), (783, "unexpected_key_binding"), (784, "missing_confirmation"), (785, "unusable_confirmation"),
            (786, "key_binding_refused"), (787, "presentation_mismatch"),
        ]
        let all = PresentationError.Code.all
        #expect(all.map(\.number) == expected.map(\.0) && all.map(\.name) == expected.map(\.1))
        #expect(Set(all.map(\.summary)).count == all.count)
        for code in all { #expect(PresentationError.Code(name: code.name) == code) }
        #expect(PresentationError.Code(name: "expired") == nil)
    }

    /// `SelectiveDisclosure.md` has a row for every code, in order, and no other.
    @Test
    func thePageHasEveryCode() throws {
        let page = try String(contentsOfFile: ConformanceFolder.repository + "/Docs/SelectiveDisclosure.md", encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| (7\d\d) \| (\w+) \|/).map { "\($0.1) \($0.2)" }
        #expect(rows == PresentationError.Code.all.map { "\($0.number) \($0.name)" })
    }

    @Test
    func noCodeIsOneOfTheVerifiers() {
        let verifiers = VerificationError.Code.all
        for code in PresentationError.Code.all { #expect(!verifiers.contains { $0.number == code.number || $0.name == code.name }) }
    }

    @Test(arguments: [
        (PresentationError(.unusedDisclosure), "unused_disclosure: no digest belongs to a disclosure"),
        (
            PresentationError(.issuerTokenRefused, cause: VerificationError(.expired, claim: .expiration)),
            "issuer_token_refused: expired: the token has expired [exp]"
        ),
    ])
    func aDescriptionHasTheCodeAndItsCause(error: PresentationError, expected: String) {
        #expect(error.description == expected)
    }
}
