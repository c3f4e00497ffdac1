import IDaaSWire
import Testing

@Suite struct BiometricStatementTests {
    private static let statement = BiometricStatement(
        challenge: "231123", client: "qwwmx651", user: "u1", decision: .approve, verification: .biometric)

    @Test func version0IsTheChallengeAlone() {
        #expect(String(decoding: Self.statement.bytes(.challengeOnly), as: UTF8.self) == "231123")
    }

    @Test func version1HasALineForEachPart() {
        #expect(
            String(decoding: Self.statement.bytes(.statement), as: UTF8.self) == "IDAAS-BIO-1\n231123\nqwwmx651\nu1\napprove\nbiometric")
    }

    @Test func everyPartChangesVersion1() {
        var others = [BiometricStatement](repeating: Self.statement, count: 5)
        others[0].challenge = "231124"
        others[1].client = "other"
        others[2].user = "u2"
        others[3].decision = .deny
        others[4].verification = .passcode
        #expect(Set((others + [Self.statement]).map { $0.bytes(.statement) }).count == 6)
    }
}
