/// The countries whose numbers the tenant takes, and the one it prefers.
public struct AreaCodeList: Hashable, Sendable {
    public let definitions: [AreaCode]
    /// A country, not a dialling code: "CN".
    public let preferredCountry: String?
    /// As it was sent.
    public let document: WireValue

    /// Nil unless the value is such a list. Definitions that cannot be read are left out.
    init?(_ value: WireValue) {
        guard let definitions = value["phoneAreaCodeDefinitions"]?.elements else { return nil }
        self.definitions = definitions.compactMap { AreaCode($0) }
        preferredCountry = value["preferredAreaCode"]?.filled
        document = value
    }

    /// Reads a number as people write it: `+86 138-0000-0000`, `0086…`, or a national one of `country`.
    ///
    /// - Parameter country: for numbers without a dialling code; nil: the preferred one.
    /// - Returns: nil for what is no number of a country in the list, or is longer than 32 characters.
    public func number(_ text: String, in country: String? = nil) -> MobileNumber? {
        guard text.count <= MobilePattern.longestText, let (digits, isInternational) = Self.digits(of: text) else { return nil }
        guard isInternational else {
            let country = country ?? preferredCountry
            return definitions.lazy.filter { $0.country == country }.compactMap { $0.number(national: digits) }.first
        }
        // Several countries share a code, and no code begins with another in E.164; a list may have both all the same.
        return definitions.filter { digits.hasPrefix($0.code) }.sorted { $0.code.count > $1.code.count }.lazy
            .compactMap { $0.number(national: String(digits.dropFirst($0.code.count))) }.first
    }

    /// The digits without what people put between them; nil where something else is among them.
    private static func digits(of text: String) -> (String, isInternational: Bool)? {
        let isSeparator = { (character: Character) in character.isWhitespace || "-.()".contains(character) }
        let compact = text.filter { !isSeparator($0) }
        let isPlus = compact.hasPrefix("+"), isZeros = compact.hasPrefix("00")
        let digits = String(compact.dropFirst(isPlus ? 1 : isZeros ? 2 : 0))
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCIISet.digits.contains) else { return nil }
        return (digits, isPlus || isZeros)
    }
}
