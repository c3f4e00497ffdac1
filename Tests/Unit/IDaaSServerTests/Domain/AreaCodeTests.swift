import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTTestSupport
import Testing

struct AreaCodeTests {
    @Test
    func aTextThatIsNoNumberIsRefusedByTheParametersName() {
        #expect(throws: ServiceError(.invalidFormat, "mobile")) { try AreaCodeList.standard.number(of: "+1-2125550100") }
        #expect(throws: ServiceError(.invalidFormat, "sender")) { try AreaCodeList.standard.number(of: "1", parameter: "sender") }
        #expect(throws: ServiceError(.missingParameter, "sender")) { try AreaCodeList.standard.number(of: "", parameter: "sender") }
    }

    @Test(arguments: ["+93-0070123456", "+93-070123456"])
    func spellingsOfOneNumberAreOneUserWithOneBudget(_ text: String) async throws {
        let domain = try await Domain()
        let number = "+93-70123456"
        let user = try await domain.login(to: number).userID
        let token = try await domain.captchaToken(for: text)
        let refused = try await refusal {
            try await domain.services.sms.send(mobile: text, type: "LOGIN_SMS", captchaToken: token, for: domain.caller())
        }
        #expect(refused == ServiceError(.rateLimited, retryAfter: .seconds(60)))
        domain.clock.advance(by: 60)
        try await domain.send(to: text)
        let code = try #require(domain.gateway.code(to: number))
        #expect(try await domain.login(code, mobile: text).userID == user)
    }

    @Test
    func theDocumentHasTheMembersOfTheSDKDocumentsAndReadsBack() throws {
        let codes = AreaCodeList.standard
        let json = try #require(try JSONSerialization.jsonObject(with: Data(codes.document().bytes)) as? [String: Any])
        #expect(json["preferredAreaCode"] as? String == "CN")
        let rows = try #require(json["phoneAreaCodeDefinitions"] as? [[String: Any]])
        #expect(rows.map { $0["areaCode"] as? String } == ["86", "852", "886", "853", "93"])
        #expect(rows.first?["mobileRegex"] as? String == #"^(\+86){0,1}\-?1\d{10}$"#)
        #expect(rows.first?["displayMapping"] as? [String: String] == ["zh-TW": "中國大陸", "en": "China", "zh-CN": "中国大陆"])
        #expect((rows.first?["areaCodeSuffixes"] as? [String]) == [])
        #expect(try JSONDecoder().decode(AreaCodeList.self, from: Data(codes.document().bytes)).definitions == codes.definitions)
        let sorted = JSONEncoder()
        sorted.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try codes.document().bytes == Array(sorted.encode(codes)))
    }

    @Test(arguments: [
        ("(", "CN", "86"), (String(repeating: "1", count: 257), "CN", "86"), ("", "CN", "86"), ("(?=1)", "CN", "86"), ("1", "TW", "86"),
        ("1", "CN", "8a"), ("1", "CN", ""), ("1", "CN", "123456789"),
    ])
    func aListThatCannotBeUsedIsNotUsable(_ pattern: String, _ preferred: String, _ code: String) {
        #expect(!AreaCodeList([AreaCode(code: code, country: "CN", mobileRegex: pattern)], preferredCountry: preferred).isUsable)
    }

    /// The area codes of a server whose settings name a file with `text`; with nil, no file.
    private func configured(_ text: String?) throws -> AreaCodeList {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var configuration = ServerConfiguration()
        configuration.database = folder.path + "/idaas.sqlite"
        configuration.areaCodes = folder.path + "/areas.json"
        if let text { _ = try folder.write("areas.json", text) }
        return try ServiceEnvironment(
            configuration: configuration, issuer: "", gateway: CollectingGateway(),
            environment: [ServerKey.variable: String(repeating: "5a", count: 32)]
        ).areaCodes
    }

    @Test
    func theListIsThatOfTheConfiguredFileInTheFormThatIsServed() throws {
        let germany = AreaCode(
            code: "49", country: "DE", names: ["en": "Germany"], mobileRegex: #"^(\+49)?-?0?1\d{9,10}$"#)
        let served = try AreaCodeList([germany], preferredCountry: "DE").document()
        let codes = try configured(served.text)
        #expect(codes.definitions == [germany])
        #expect(try codes.number(of: "015112345678").text == "+49-15112345678")
        #expect(throws: ServiceError(.invalidFormat, "mobile")) { try codes.number(of: "+86-13800000000") }
    }

    @Test(
        arguments: [
            nil, "", "[]", "{}", #"{"phoneAreaCodeDefinitions":[],"preferredAreaCode":"CN"}"#,
            #"{"phoneAreaCodeDefinitions":[{"areaCode":"86","displayMapping":{},"countryCode":"CN","mobileRegex":"(","#
                + #""areaCodeSuffixes":[]}],"preferredAreaCode":"CN"}"#,
        ] as [String?])
    func aFileWithoutSuchAListStopsTheServerFromStarting(_ text: String?) {
        let error = #expect(throws: ConfigurationError.self) { try configured(text) }
        #expect(error?.description.hasPrefix("areaCodes: ") == true)
    }
}
