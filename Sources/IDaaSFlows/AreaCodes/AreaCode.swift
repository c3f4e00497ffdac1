/// A country whose numbers the tenant takes.
public struct AreaCode: Hashable, Sendable {
    /// The digits after the plus: "86".
    public let code: String
    /// ISO 3166-1: "CN".
    public let country: String
    /// By language tag: "zh-CN", "zh-TW", "en".
    public let names: [String: String]
    public let suffixes: [String]
    /// As the server gave it.
    public let mobileRegex: String
    /// The same, compiled; nil where its form is refused, and then no number of this country is taken.
    public let pattern: MobilePattern?

    init?(_ value: WireValue) {
        guard let code = value["areaCode"]?.filled, code.count <= 8, code.utf8.allSatisfy(ASCIISet.digits.contains),
            let country = value["countryCode"]?.filled, let mobileRegex = value["mobileRegex"]?.text
        else { return nil }
        self.code = code
        self.country = country
        self.mobileRegex = mobileRegex
        pattern = MobilePattern(mobileRegex)
        suffixes = value["areaCodeSuffixes"]?.elements?.compactMap(\.text) ?? []
        if case .object(let names) = value["displayMapping"]?.unwrapped { self.names = names.compactMapValues(\.text) } else { names = [:] }
    }

    /// The country's name in a language, or its code.
    public func name(in language: FlowLanguage) -> String { names[language == .english ? "en" : "zh-CN"] ?? country }

    /// The number of this country that `digits` are, its trunk zero gone where that is none of the number.
    func number(national digits: String) -> MobileNumber? {
        guard let pattern else { return nil }
        let candidates = digits.hasPrefix("0") ? [String(digits.dropFirst()), digits] : [digits]
        let number = candidates.first { pattern.matches("+\(code)-\($0)") || pattern.matches("+\(code)\($0)") || pattern.matches($0) }
        // ITU-T E.164: fifteen digits at most.
        guard let number, !number.isEmpty, code.count + number.count <= 15 else { return nil }
        return MobileNumber(areaCode: code, national: number, country: country)
    }
}
