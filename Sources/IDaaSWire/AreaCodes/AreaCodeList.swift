/// The countries whose numbers the tenant accepts. Every number is read with this list and becomes one ``MobileNumber``.
public struct AreaCodeList: Hashable, Sendable {
    public let definitions: [AreaCode]
    /// The country, not the area code, of numbers without an area code: `CN`.
    public let preferredCountry: String?

    /// The maximum number of characters in a number.
    public static let longestNumber = MobilePattern.longestText

    public init(_ definitions: [AreaCode], preferredCountry: String?) {
        self.definitions = definitions
        self.preferredCountry = preferredCountry
    }

    /// Reads a number as people write it: `+86 138-0000-0000`, `0086…`, or a national number of `country`.
    ///
    /// - Parameters:
    ///   - text: the number, of at most 32 characters.
    ///   - country: for numbers without an area code; nil means the preferred country.
    /// - Returns: nil for a text that is not a number of a listed country, or is longer than 32 characters.
    public func number(_ text: String, in country: String? = nil) -> MobileNumber? {
        guard text.count <= Self.longestNumber, let (digits, isInternational) = Self.digits(of: text) else { return nil }
        if isInternational { return number(international: digits) }
        let country = country ?? preferredCountry
        return definitions.lazy.filter { $0.country == country }.compactMap { number(international: $0.code + digits) }.first
    }

    /// Reads a number in a notation that a country's pattern matches exactly: `+86-13800000000`, `+8613800000000`, or `13800000000` in the
    /// preferred country.
    ///
    /// - Returns: nil for any other text, and for one of more than 32 bytes.
    package func number(exactly text: String) -> MobileNumber? {
        guard text.utf8.count <= Self.longestNumber else { return nil }
        for definition in definitions where definition.pattern?.matches(text) == true {
            guard let digits = nationalDigits(text, definition), let number = number(international: definition.code + digits) else {
                continue
            }
            return number
        }
        return nil
    }

    /// The number with all these digits. The longest matching area code decides: `+1-684…` and `+1684-…` are one number even in a list that
    /// has both codes.
    private func number(international digits: String) -> MobileNumber? {
        definitions.filter { digits.hasPrefix($0.code) }.sorted { $0.code.count > $1.code.count }.lazy
            .compactMap { $0.number(dialled: digits.dropFirst($0.code.count)) }.first
    }

    /// A text that a pattern matched, without the area code and the following hyphen.
    private func nationalDigits(_ text: String, _ definition: AreaCode) -> Substring? {
        var national = Substring(text)
        if national.hasPrefix("+\(definition.code)") {
            national.removeFirst(definition.code.count + 1)
        } else if definition.country != preferredCountry || national.hasPrefix("+") {
            return nil
        }
        if national.hasPrefix("-") { national.removeFirst() }
        return national.utf8.allSatisfy(ASCIISet.digits.contains) ? national : nil
    }

    /// The digits without separators; nil if the text has any other character.
    private static func digits(of text: String) -> (String, isInternational: Bool)? {
        let isSeparator = { (character: Character) in character.isWhitespace || "-.()".contains(character) }
        let compact = text.filter { !isSeparator($0) }
        let isPlus = compact.hasPrefix("+"), isZeros = compact.hasPrefix("00")
        let digits = String(compact.dropFirst(isPlus ? 1 : isZeros ? 2 : 0))
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCIISet.digits.contains) else { return nil }
        return (digits, isPlus || isZeros)
    }
}

extension AreaCodeList: Codable {
    /// The members of the document, by their documented spellings.
    package enum Member: String, CodingKey {
        case phoneAreaCodeDefinitions, preferredAreaCode
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Member.self)
        self.init(
            try values.decode([AreaCode].self, forKey: .phoneAreaCodeDefinitions),
            preferredCountry: try values.decode(String.self, forKey: .preferredAreaCode))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encode(definitions, forKey: .phoneAreaCodeDefinitions)
        try values.encode(preferredCountry, forKey: .preferredAreaCode)
    }
}
