import Gateway
import GatewayServer
import Testing

/// Rules about claims in the service's file.
struct ClaimRuleSettingsTests {
    @Test func aRuleAboutAClaimIsReadAsItIsWritten() throws {
        let text = SampleConfiguration.replacing(
            "realm: api",
            with: """
                claims:
                      - {claim: groups, anyOf: [a, "b c"]}
                      - {claim: /realm/roles/0, allOf: a, provider: idp}
                      - {path: [realm, "0", 0], equals: 2}
                      - {claim: sub, prefix: "svc:"}
                      - {claim: email, mailDomain: [example.com]}
                      - {claim: email_verified, equals: true}
                      - {claim: name, present: true}
                      - {claim: level, atLeast: -2}
                      - {claim: level, atLeast: 0, atMost: 9}
                """)
        let configuration = try ServiceConfiguration(yaml: text)
        #expect(
            configuration.decisions.policies[0].claimRules == [
                ClaimRule([.member("groups")], .anyOf(["a", "b c"])),
                ClaimRule([.reference("realm"), .reference("roles"), .reference("0")], .allOf(["a"]), provider: "idp"),
                ClaimRule([.member("realm"), .member("0"), .position(0)], .equals("2")), ClaimRule([.member("sub")], .prefix("svc:")),
                ClaimRule([.member("email")], .mailDomain(["example.com"])), ClaimRule([.member("email_verified")], .equals("true")),
                ClaimRule([.member("name")], .present), ClaimRule([.member("level")], .number(atLeast: -2, atMost: nil)),
                ClaimRule([.member("level")], .number(atLeast: 0, atMost: 9)),
            ])
        #expect(configuration.warnings(revocations: .init()).isEmpty)
    }

    @Test(
        arguments: [
            ("claim: a", .missingSetting, "one of `anyOf`, `allOf`"),
            ("{anyOf: [a]}", .missingSetting, "one of `claim`, `path`"),
            ("{claim: a, anyof: [a]}", .unknownSetting, "did you mean `anyOf`?"),
            ("{claim: a, anyOf: []}", .wrongKind, "the list is empty"),
            ("{claim: a, anyOf: [a], equals: b}", .conflict, "only one of"),
            ("{claim: a, atLeast: 1, equals: b}", .conflict, "only one of"),
            ("{claim: a, atLeast: 1, atMost: 2, equals: b}", .conflict, "`policies[1].claims[1].equals`"),
            ("{claim: a, atLeast: 2, atMost: 1}", .invalidValue, "`policies[1].claims[1]`: a rule needs"),
            ("{claim: a, atLeast: two}", .wrongKind, "whole number"),
            ("{claim: a, present: false}", .invalidValue, "only `true`"),
            ("{claim: /a~2, present: true}", .invalidValue, "is no JSON Pointer"),
            ("{path: [], present: true}", .wrongKind, "the list is empty"),
            ("{claim: a, present: true, provider: ipd}", .unknownName, "did you mean `idp`?"),
            ("{claim: a, mailDomain: a@b}", .invalidValue, "a mail domain has labels"),
            ("{claim: a, anyOf: [\"a\\0b\"]}", .invalidValue, "has control characters"),
        ] as [(String, SettingsFault.Code, String)])
    func aRuleThatIsNoneHasItsLine(rule: String, code: SettingsFault.Code, words: String) throws {
        let faults = SettingsFaultTests.faults(of: SampleConfiguration.replacing("realm: api", with: "claims:\n      - \(rule)"))
        let found = try #require(faults.first { $0.code == code }, "\(faults)")
        #expect(found.line == 22)
        #expect(found.text.contains(words), "\(found)")
    }

    @Test(arguments: ["[]", "x"])
    func aListWithoutRulesIsAFault(list: String) throws {
        let faults = SettingsFaultTests.faults(of: SampleConfiguration.replacing("realm: api", with: "claims: \(list)"))
        #expect(faults.map(\.code) == [.wrongKind])
        #expect(faults.map(\.line) == [21])
    }
}
