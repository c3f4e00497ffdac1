import IDaaSWire
import Testing

@Suite struct AreaCodeListTests {
    private static let list = AreaCodeList(
        [
            AreaCode(code: "86", country: "CN", names: ["en": "China", "zh-CN": "中国大陆"], mobileRegex: #"^(\+86){0,1}\-?1\d{10}$"#),
            AreaCode(code: "852", country: "HK", mobileRegex: #"^(\+852){1}\-?0{0,1}[1,4,5,6,7,8,9](?:\d{7}|\d{8}|\d{12})$"#),
            AreaCode(code: "886", country: "TW", mobileRegex: #"^(\+886){1}\-?[6,7,9](?:\d{7}|\d{8})$"#),
            AreaCode(code: "93", country: "AF", mobileRegex: #"^(\+93){1}\-\d{6,11}"#),
            AreaCode(code: "225", country: "CI", mobileRegex: #"^(\+225)?-?0\d{9}$"#),
            AreaCode(code: "1", country: "US", mobileRegex: #"^(\+1)?-?\d{10}$"#),
            AreaCode(code: "1684", country: "AS", mobileRegex: #"^(\+1684)?-?\d{7}$"#),
            // A pattern of a refused form: the country accepts no number.
            AreaCode(code: "7", country: "RU", mobileRegex: #"^(?=\d)"#),
        ], preferredCountry: "CN")

    static let written: [(String, String?, String?)] = [
        ("13800000000", nil, "+86-13800000000"), ("+86 138-0000-0000", nil, "+86-13800000000"),
        ("0086 13800000000", nil, "+86-13800000000"), ("+86-13800000000", "HK", "+86-13800000000"),
        ("+8613800000000", nil, "+86-13800000000"), ("(138) 0000.0000", nil, "+86-13800000000"),
        ("0912345678", "TW", "+886-912345678"), ("+886 0912345678", nil, "+886-912345678"), ("51234567", "HK", "+852-51234567"),
        ("+93701234567", nil, "+93-701234567"), ("8613800000000", nil, nil), ("51234567", nil, nil), ("+34 600000000", nil, nil),
        ("+79161234567", nil, nil), ("+93-701234567; DROP", nil, nil), ("+852-,1234567", nil, nil), ("１３８００００００００", nil, nil),
        ("", nil, nil), ("+", nil, nil), ("+86" + String(repeating: " ", count: 30) + "13800000000", nil, nil),
        ("+852-9123456789012", nil, nil),
    ]

    @Test(arguments: written) func numberIsRead(_ text: String, country: String?, number: String?) {
        #expect(Self.list.number(text, in: country)?.text == number)
    }

    static let exact: [(String, String?)] = [
        ("13800000000", "+86-13800000000"), ("+8613800000000", "+86-13800000000"), ("+86-13800000000", "+86-13800000000"),
        ("-13800000000", "+86-13800000000"), ("+85291234567", "+852-91234567"), ("+852-091234567", "+852-91234567"),
        ("+886-912345678", "+886-912345678"), ("+93-701234567", "+93-701234567"), ("86138000000000", nil), ("8613800000000", nil),
        ("+93701234567", nil), ("+93-701234567; DROP", nil), ("+93-70123456789012345678", nil), ("+852-,1234567", nil),
        ("+34-600000000", nil), ("91234567", nil), ("0912345678", nil), ("+86-13800000000\n", nil), ("+86-1380000000", nil),
        ("+86-138000000000", nil), ("+852-91234567890123", nil), ("+86 13800000000", nil), ("１３８００００００００", nil),
        ("+86-13800000000 ", nil), (String(repeating: "1", count: 33), nil), ("", nil),
    ]

    @Test(arguments: exact) func numberIsReadToTheLetter(_ text: String, number: String?) {
        #expect(Self.list.number(exactly: text)?.text == number)
    }

    static let spellings: [(String, [String])] = [
        ("+93-70123456", ["+93-70123456", "+93-070123456", "+93-0070123456", "+93-00070123456"]),
        ("+852-91234567", ["+852-91234567", "+852-091234567", "+852091234567", "+85291234567"]),
        ("+86-13800000000", ["+86-13800000000", "+8613800000000", "-13800000000", "13800000000"]),
        // The zero is part of the number if the country's pattern demands it.
        ("+225-0712345678", ["+225-0712345678", "+2250712345678"]),
        // The longest matching area code of the list decides.
        ("+1684-7331234", ["+1684-7331234", "+1-6847331234", "+16847331234"]),
    ]

    @Test(arguments: spellings) func everySpellingOfANumberIsOneNumber(_ number: String, spellings: [String]) {
        #expect(Set(spellings.map { Self.list.number(exactly: $0)?.text }) == [number])
        #expect(Set(spellings.map { Self.list.number($0)?.text }) == [number])
    }

    static let masks = [("+852-51234567", "+852-51****67"), ("13812345678", "+86-138****5678"), ("+93-701234", "+93-****")]

    @Test(arguments: masks) func aNumberPrintsMasked(_ text: String, masked: String) throws {
        let number = try #require(Self.list.number(text))
        #expect("\(number)" == masked)
    }

    @Test func aCountryHasItsNameInALanguageOrItsCode() {
        #expect(Self.list.definitions[0].name(in: .english) == "China" && Self.list.definitions[0].name(in: .chinese) == "中国大陆")
        #expect(Self.list.definitions[1].name(in: .english) == "HK")
    }
}
