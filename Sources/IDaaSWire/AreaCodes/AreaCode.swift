/// A country whose numbers the tenant accepts.
public struct AreaCode: Hashable, Sendable {
    /// The digits after the plus sign: `86`.
    public let code: String
    /// ISO 3166-1: `CN`.
    public let country: String
    /// The country's name by language tag: `zh-CN`, `zh-TW`, `en`.
    public let names: [String: String]
    /// The pattern of a whole number, as the tenant wrote it.
    public let mobileRegex: String
    public let suffixes: [String]
    /// The compiled ``mobileRegex``; nil if it does not compile. A country without a pattern accepts no number.
    public let pattern: MobilePattern?

    public init(code: String, country: String, names: [String: String] = [:], mobileRegex: String, suffixes: [String] = []) {
        self.code = code
        self.country = country
        self.names = names
        self.mobileRegex = mobileRegex
        self.suffixes = suffixes
        pattern = MobilePattern(mobileRegex)
    }

    /// The country's name in a language, or its code.
    public func name(in language: Language) -> String { names[language == .english ? "en" : "zh-CN"] ?? country }

    /// Whether the code has one to eight digits, as the start of a number does.
    package static func isCode(_ text: String) -> Bool {
        (1...8).contains(text.utf8.count) && text.utf8.allSatisfy(ASCIISet.digits.contains)
    }

    /// The number that a person dials as `digits` in this country.
    ///
    /// A leading zero is a trunk prefix if the country's pattern matches the number without it. All such zeros are removed: `070…` and
    /// `0070…` are the number `70…`. If the pattern demands the zero, it is part of the number.
    func number(dialled digits: Substring) -> MobileNumber? {
        guard let pattern else { return nil }
        let zeros = digits.prefix { $0 == "0" }.count
        for count in stride(from: zeros, through: 0, by: -1) {
            let national = digits.dropFirst(count)
            if ["+\(code)-\(national)", "+\(code)\(national)", String(national)].contains(where: pattern.matches) {
                return MobileNumber(areaCode: code, national: String(national), country: country)
            }
        }
        return nil
    }
}

extension AreaCode: Codable {
    /// The members of a definition, by their documented spellings.
    package enum Member: String, CodingKey {
        case areaCode, displayMapping, countryCode, mobileRegex, areaCodeSuffixes
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Member.self)
        self.init(
            code: try values.decode(String.self, forKey: .areaCode), country: try values.decode(String.self, forKey: .countryCode),
            names: try values.decode([String: String].self, forKey: .displayMapping),
            mobileRegex: try values.decode(String.self, forKey: .mobileRegex),
            suffixes: try values.decode([String].self, forKey: .areaCodeSuffixes))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encode(code, forKey: .areaCode)
        try values.encode(names, forKey: .displayMapping)
        try values.encode(country, forKey: .countryCode)
        try values.encode(mobileRegex, forKey: .mobileRegex)
        try values.encode(suffixes, forKey: .areaCodeSuffixes)
    }
}
