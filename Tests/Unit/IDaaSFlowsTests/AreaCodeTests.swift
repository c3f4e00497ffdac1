import IDaaSFlows
import IDaaSWire
import Testing

@Suite struct AreaCodeTests {
    static let document = #"""
        {"phoneAreaCodeDefinitions":[
        {"areaCode":"86","displayMapping":{"zh-TW":"中國大陸","en":"China","zh-CN":"中国大陆"},"countryCode":"CN",
         "mobileRegex":"^(\\+86){0,1}\\-?1\\d{10}$","areaCodeSuffixes":[]},
        {"areaCode":"852","displayMapping":{"en":"Hong Kong"},"countryCode":"HK",
         "mobileRegex":"^(\\+852){1}\\-?0{0,1}[1,4,5,6,7,8,9](?:\\d{7}|\\d{8}|\\d{12})$","areaCodeSuffixes":["x"]},
        {"areaCode":"886","displayMapping":{"en":"Taiwan"},"countryCode":"TW",
         "mobileRegex":"^(\\+886){1}\\-?[6,7,9](?:\\d{7}|\\d{8})$","areaCodeSuffixes":[]},
        {"areaCode":"93","displayMapping":{},"countryCode":"AF","mobileRegex":"^(\\+93){1}\\-\\d{6,11}","areaCodeSuffixes":[]},
        {"areaCode":"7","displayMapping":{},"countryCode":"RU","mobileRegex":"^(?=\\d)","areaCodeSuffixes":[]},
        {"countryCode":"XX"}],"preferredAreaCode":"CN"}
        """#

    private func list() async throws -> AreaCodeList {
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, .json(Self.document))
        return try await tenant.flows.areaCodes.list().get()
    }

    @Test
    func theListIsReadAsTheDocumentsHaveIt() async throws {
        let list = try await list()
        #expect(list.definitions.map(\.country) == ["CN", "HK", "TW", "AF", "RU"])
        #expect(list.preferredCountry == "CN" && list.definitions[1].suffixes == ["x"])
        #expect(list.definitions[0].names["zh-CN"] == "中国大陆" && list.definitions[4].pattern == nil)
        #expect(list.number("+886 0912345678")?.text == "+886-912345678")
    }

    @Test(arguments: ["{}", "[]", "<html>", ""])
    func whatIsNoListIsAnUnexpectedAnswer(_ body: String) async throws {
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, .json(body))
        let outcome = await tenant.flows.areaCodes.list()
        #expect(outcome.failure?.reason == .unexpectedAnswer(status: 200) && outcome.legacyCode == "1")
    }
}
