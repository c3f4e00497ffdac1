#if IDaaS
import Foundation
import IDaaSServer
import Testing

@Suite("Area codes")
struct AreaCodeTests {
    @Test(
        "A number is read in every notation that its country has, and becomes one",
        arguments: [
            ("13800000000", "+86-13800000000"), ("+8613800000000", "+86-13800000000"), ("+86-13800000000", "+86-13800000000"),
            ("-13800000000", "+86-13800000000"), ("+85291234567", "+852-91234567"), ("+852-091234567", "+852-91234567"),
            ("+886-912345678", "+886-912345678"), ("+853-61234567", "+853-61234567"), ("+93-701234567", "+93-701234567"),
        ])
    func accepted(_ text: String, _ number: String) throws {
        #expect(try AreaCodes.standard().number(text).text == number)
    }

    @Test(
        "What is no number of a listed country is refused, whatever a pattern lets through",
        arguments: [
            "86138000000000", "8613800000000", "+93701234567", "+93-701234567; DROP", "+93-70123456789012345678", "+852-,1234567",
            "+1-2125550100", "91234567", "0912345678", "+86-13800000000\n", "+86-1380000000", "+86-138000000000", "+852-91234567890123",
            "+86 13800000000", "１３８００００００００", "+86-13800000000 ", String(repeating: "1", count: 33),
        ])
    func refused(_ text: String) throws {
        let codes = try AreaCodes.standard()
        #expect(throws: ServiceError(.invalidFormat, "mobile")) { try codes.number(text) }
    }

    @Test("An empty number is a missing parameter, by its name")
    func empty() throws {
        let codes = try AreaCodes.standard()
        #expect(throws: ServiceError(.missingParameter, "sender")) { try codes.number("", parameter: "sender") }
    }

    @Test(
        "A masked number keeps its country and its end",
        arguments: [("13800001234", "+86-138****1234"), ("+85291234567", "+852-91****4567"), ("+93-701234", "+93-****34")])
    func masked(_ text: String, _ masked: String) throws {
        #expect(try AreaCodes.standard().number(text).masked == masked)
    }

    @Test("The document has the members of the SDK documents, and reads back")
    func document() throws {
        let codes = try AreaCodes.standard()
        let json = try #require(try JSONSerialization.jsonObject(with: Data(codes.document())) as? [String: Any])
        #expect(json["preferredAreaCode"] as? String == "CN")
        let rows = try #require(json["phoneAreaCodeDefinitions"] as? [[String: Any]])
        #expect(rows.map { $0["areaCode"] as? String } == ["86", "852", "886", "853", "93"])
        #expect(rows.first?["mobileRegex"] as? String == #"^(\+86){0,1}\-?1\d{10}$"#)
        #expect(rows.first?["displayMapping"] as? [String: String] == ["zh-TW": "中國大陸", "en": "China", "zh-CN": "中国大陆"])
        #expect((rows.first?["areaCodeSuffixes"] as? [String]) == [])
        #expect(try JSONDecoder().decode(AreaCodes.self, from: Data(codes.document())).definitions == codes.definitions)
    }

    @Test(
        "A list that cannot be used is refused as a whole",
        arguments: [("(", "CN", "86"), (String(repeating: "1", count: 257), "CN", "86"), ("1", "TW", "86"), ("1", "CN", "8a")])
    func unusable(_ pattern: String, _ preferred: String, _ areaCode: String) {
        let code = AreaCode(areaCode: areaCode, displayMapping: [:], countryCode: "CN", mobileRegex: pattern)
        #expect(throws: ServiceError(.areaCodeConfiguration)) { try AreaCodes([code], preferred: preferred) }
    }

    /// What a server is put together with whose settings name a file of `text`; of nil, none.
    private func configured(_ text: String?) throws -> AreaCodes {
        let folder = FileManager.default.temporaryDirectory.appending(path: "areas-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ServerConfiguration()
        configuration.database = folder.appending(path: "idaas.sqlite").path
        configuration.areaCodes = folder.appending(path: "areas.json").path
        if let text { try Data(text.utf8).write(to: folder.appending(path: "areas.json")) }
        let assembly = ServiceAssembly(
            configuration: configuration, issuer: "", gateway: CollectingGateway(),
            environment: [ServerKey.variable: String(repeating: "5a", count: 32)])
        return try assembly.services().areaCodes
    }

    @Test("The list is that of the configured file, in the form that is served")
    func file() throws {
        let germany = AreaCode(
            areaCode: "49", displayMapping: ["en": "Germany"], countryCode: "DE", mobileRegex: #"^(\+49)?-?0?1\d{9,10}$"#)
        let served = try AreaCodes([germany], preferred: "DE").document()
        let codes = try configured(String(decoding: served, as: UTF8.self))
        #expect(codes.definitions == [germany])
        #expect(try codes.number("015112345678").text == "+49-15112345678")
        #expect(throws: ServiceError(.invalidFormat, "mobile")) { try codes.number("+86-13800000000") }
    }

    @Test(
        "A file without such a list stops the server from starting",
        arguments: [
            nil, "", "[]", "{}", #"{"phoneAreaCodeDefinitions":[],"preferredAreaCode":"CN"}"#,
            #"{"phoneAreaCodeDefinitions":[{"areaCode":"86","displayMapping":{},"countryCode":"CN","mobileRegex":"(","#
                + #""areaCodeSuffixes":[]}],"preferredAreaCode":"CN"}"#,
        ] as [String?])
    func unusableFile(_ text: String?) {
        let error = #expect(throws: ConfigurationError.self) { try configured(text) }
        #expect(error?.description.hasPrefix("areaCodes: ") == true)
    }
}
#endif
