import Gateway
import GatewayServer
import Testing

/// What a policy of the service's file does with browsers.
struct BrowserSettingsTests {
    private static func text(_ browsers: String, tokenFrom: String = "cookie: session") -> String {
        SampleConfiguration.replacing("realm: api", with: "browsers: \(browsers)")
            .replacing("- authorization: Bearer", with: "- \(tokenFrom)")
    }

    @Test(arguments: ["https://login.example/start?return={url}", "/login?to={url}", "http://localhost:9000/"])
    func aRedirectIsReadAsItIsWritten(target: String) throws {
        let configuration = try ServiceConfiguration(yaml: Self.text("{redirect: \"\(target)\"}"))
        #expect(configuration.decisions.policies[0].browserRedirect == target)
        #expect(configuration.warnings(revocations: .init()).isEmpty)
    }

    @Test(
        arguments: [
            ("{}", .missingSetting, "`policies[1].browsers.redirect`: is missing"), ("/login", .wrongKind, "settings are expected here"),
            ("{redirekt: /login}", .unknownSetting, "did you mean `redirect`?"), ("{redirect: }", .wrongKind, "has no value"),
            ("{redirect: \"\"}", .wrongKind, "a text is expected"), ("{redirect: [/login]}", .wrongKind, "a text is expected"),
            ("{redirect: //evil.example}", .invalidValue, "begins with a single slash"),
            ("{redirect: login}", .invalidValue, "an https URL is expected"),
            ("{redirect: http://login.example/}", .invalidValue, "needs https"),
            ("{redirect: https://a@login.example/}", .invalidValue, "has a user"),
            ("{redirect: \"/a#b\"}", .invalidValue, "has a fragment"),
            ("{redirect: \"/{url}\"}", .invalidValue, "`{url}` stands once, and in the query"),
            ("{redirect: \"/?a={url}&b={url}\"}", .invalidValue, "`{url}` stands once"),
            ("{redirect: \"/\\u0001\"}", .invalidValue, "has control characters"),
            ("{redirect: /\(String(repeating: "a", count: 2_048))}", .invalidValue, "more than 2048 bytes"),
        ] as [(String, SettingsFault.Code, String)])
    func aRedirectThatIsNoneHasItsLine(browsers: String, code: SettingsFault.Code, words: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.text(browsers))
        let found = try #require(faults.first { $0.code == code }, "\(faults)")
        #expect(found.line == 21)
        #expect(found.text.contains(words), "\(found)")
    }

    @Test func aPolicyThatNeedsNoTokenRedirectsNobody() {
        let faults = SettingsFaultTests.faults(of: Self.text("{redirect: /login}").replacing("requires: idp", with: "requires: nothing"))
        #expect(faults.map(\.line) == [21])
        #expect(faults.first?.text.hasPrefix("`policies[1].browsers`: the policy needs no token") == true, "\(faults)")
    }

    /// A browser that comes from the page must be able to bring a token.
    @Test(arguments: [
        ("authorization: Bearer", true), ("header: x-token", true), ("webSocketProtocol: bearer.", true), ("cookie: session", false),
        ("query: access_token", false),
    ])
    func tokensThatNoBrowserBringsAreAWarning(tokenFrom: String, isWarned: Bool) throws {
        let configuration = try ServiceConfiguration(yaml: Self.text("{redirect: /login}", tokenFrom: tokenFrom))
        let warnings = configuration.warnings(revocations: .init()).filter { $0.text.contains("browsers") }
        #expect(warnings.map(\.line) == (isWarned ? [21] : []), "\(warnings)")
    }
}
