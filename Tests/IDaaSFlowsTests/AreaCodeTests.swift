import IDaaSFlows
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

    @Test("The list is read as the documents have it")
    func listIsRead() async throws {
        let list = try await list()
        #expect(list.definitions.map(\.country) == ["CN", "HK", "TW", "AF", "RU"])
        #expect(list.preferredCountry == "CN" && list.definitions[1].suffixes == ["x"])
        #expect(list.definitions[0].name(in: .english) == "China" && list.definitions[0].name(in: .chinese) == "中国大陆")
        #expect(list.definitions[3].name(in: .english) == "AF")
        #expect(list.definitions[4].pattern == nil)
    }

    static let numbers: [(String, String?, String?)] = [
        ("13800000000", nil, "+86-13800000000"), ("+86 138-0000-0000", nil, "+86-13800000000"),
        ("0086 13800000000", nil, "+86-13800000000"),
        ("+86-13800000000", "HK", "+86-13800000000"), ("+8613800000000", nil, "+86-13800000000"),
        ("(138) 0000.0000", nil, "+86-13800000000"),
        ("0912345678", "TW", "+886-912345678"), ("+886 0912345678", nil, "+886-912345678"), ("51234567", "HK", "+852-51234567"),
        ("+93701234567", nil, "+93-701234567"), ("8613800000000", nil, nil), ("51234567", nil, nil), ("+1 2015550123", nil, nil),
        ("+79161234567", nil, nil), ("+93-701234567; DROP", nil, nil), ("+852-,1234567", nil, nil), ("１３８００００００００", nil, nil),
        ("", nil, nil),
        ("+", nil, nil), ("+86" + String(repeating: " ", count: 30) + "13800000000", nil, nil), ("+852-9123456789012", nil, nil),
    ]

    @Test("A number is read as people write it, and written one way", arguments: numbers)
    func numberIsRead(_ text: String, country: String?, wire: String?) async throws {
        #expect(try await list().number(text, in: country)?.wireText == wire)
    }

    @Test("A number prints masked")
    func numberIsMasked() async throws {
        // Of the shorter numbers of Hong Kong less is shown: ten thousand are left.
        let short = try #require(try await list().number("+852-51234567"))
        #expect("\(short)" == "+852-51****67")
        let number = try #require(try await list().number("13812345678"))
        #expect("\(number)" == "+86-138****5678" && number.e164 == "+8613812345678")
    }

    @Test("What is no list is an unexpected answer", arguments: ["{}", "[]", "<html>", ""])
    func otherIsRefused(_ body: String) async throws {
        let tenant = try Tenant()
        tenant.server.answer(Path.areaCodes, .json(body))
        let outcome = await tenant.flows.areaCodes.list()
        #expect(outcome.failure?.reason == .unexpectedAnswer(status: 200) && outcome.legacyCode == "1")
    }
}
