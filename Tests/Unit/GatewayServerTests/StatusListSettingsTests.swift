import Gateway
import GatewayServer
import Testing

/// `statusLists` of a provider.
@Suite struct StatusListSettingsTests {
    private typealias Fault = SettingsFaultTests.Fault

    /// The sample with status lists of its provider, at line 11.
    private static func sample(_ settings: String) -> String {
        SampleConfiguration.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    statusLists: \(settings)")
    }

    private static func terms(_ settings: String) throws -> StatusListTerms? {
        try ServiceConfiguration(yaml: sample(settings)).decisions.providers[0].statusLists
    }

    @Test func theDefaultsAreTheIssuersOriginAndNoGrace() throws {
        let terms = try #require(try Self.terms("{}"))
        #expect(terms.origins == ["https://idp.example"])
        #expect(terms.absentGrace == .zero && terms.refusedGrace == .zero && terms.staleIfError == .seconds(3_600))
        #expect(try ServiceConfiguration(yaml: SampleConfiguration.text).decisions.providers[0].statusLists == nil)
    }

    @Test func eachIsSet() throws {
        let terms = try #require(
            try Self.terms(
                "{origins: [https://a.example, http://127.0.0.1:8080], absentSeconds: 1, refusedSeconds: 2, staleSeconds: 3, "
                    + "maximumLists: 4, maximumMegabytes: 5}"))
        #expect(terms.origins == ["https://a.example", "http://127.0.0.1:8080"])
        #expect(terms.absentGrace == .seconds(1) && terms.refusedGrace == .seconds(2) && terms.staleIfError == .seconds(3))
        #expect(terms.maximumLists == 4 && terms.maximumBytes == 5 << 20)
    }

    @Test(arguments: [
        ("{origins: []}", SettingsFault.Code.wrongKind, "the list is empty"),
        ("{origins: [\"http://status.example\"]}", .invalidValue, "status lists need an origin"),
        ("{origin: [\"https://status.example\"]}", .unknownSetting, "did you mean `origins`?"),
        ("{maximumLists: 0}", .invalidValue, "between 1 and 65536"), ("{maximumMegabytes: 65537}", .invalidValue, "between 1 and"),
        ("{absentSeconds: 3601}", .invalidValue, "between 0 and 3600"), ("{refusedSeconds: -1}", .invalidValue, "between 0 and 3600"),
        ("{staleSeconds: 1h}", .wrongKind, "a whole number"), ("true", .wrongKind, "settings are expected"),
        ("", .wrongKind, "has no value"),
    ])
    func whatIsNoneIsAFault(settings: String, code: SettingsFault.Code, text: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.sample(settings))
        #expect(faults.count == 1 && faults.first?.code == code && faults.first?.text.contains(text) == true, "\(faults)")
    }

    @Test func anIssuerThatIsNoURLNeedsOrigins() {
        let text = SampleConfiguration.text.replacing("issuer: https://idp.example", with: "issuer: idp")
        #expect(
            SettingsFaultTests.faults(of: text.replacing("audiences: [client-1]", with: "audiences: [client-1]\n    statusLists: {}")).count
                == 1)
    }

    @Test func aHostHasTheSameSetting() throws {
        let json = #"""
            {"providers": [{"name": "a", "issuer": "https://a.example", "audiences": ["x"], "statusLists": {"absentSeconds": 1}}],
             "policies": [{"name": "p", "requires": "a"}], "policy": "p"}
            """#
        let terms = try #require(try GatewaySettings(json: json.utf8.span).configuration.providers[0].statusLists)
        #expect(terms.origins == ["https://a.example"] && terms.absentGrace == .seconds(1))
    }
}
