#if IDaaS
/// The countries that numbers are accepted of: served to clients as `country-codes`, and what every number is read by.
///
/// A number outside the list is refused before anything is sent: the cheapest defence against toll fraud.
package struct AreaCodes: Sendable {
    package let definitions: [AreaCode]
    /// The country, not the area code, of a number without a prefix: `CN`.
    package let preferred: String
    private let patterns: [NumberPattern]

    /// - Throws: `IDAAS.SDK.COMMON.1011` for a list that cannot be used: none, a pattern that is not one, a preferred country that is
    ///   not in it.
    package init(_ definitions: [AreaCode], preferred: String) throws {
        guard definitions.contains(where: { $0.countryCode == preferred }) else { throw ServiceError(.areaCodeConfiguration) }
        self.definitions = definitions
        self.preferred = preferred
        patterns = try definitions.map { definition in
            guard definition.areaCode.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !definition.areaCode.isEmpty,
                let pattern = NumberPattern(definition.mobileRegex)
            else { throw ServiceError(.areaCodeConfiguration) }
            return pattern
        }
    }

    /// Reads a number as a person or a program wrote it: `+86-13800000000`, `+8613800000000`, or `13800000000` in the preferred country.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1001` if it is empty, `IDAAS.SDK.COMMON.1002` if no definition matches all of it; {0} is `parameter`.
    package func number(_ text: String, parameter: String = "mobile") throws -> MobileNumber {
        guard !text.isEmpty else { throw ServiceError(.missingParameter, parameter) }
        guard text.utf8.count <= Self.longestNumber else { throw ServiceError(.invalidFormat, parameter) }
        for (definition, pattern) in zip(definitions, patterns) where pattern.matchesWhole(text) {
            if let number = read(text, definition) { return number }
        }
        throw ServiceError(.invalidFormat, parameter)
    }

    /// What a pattern has matched, without prefix, hyphen and trunk zero.
    private func read(_ text: String, _ definition: AreaCode) -> MobileNumber? {
        var national = Substring(text)
        let prefix = "+" + definition.areaCode
        if national.hasPrefix(prefix) {
            national.removeFirst(prefix.count)
        } else if definition.countryCode != preferred || national.hasPrefix("+") {
            return nil
        }
        if national.hasPrefix("-") { national.removeFirst() }
        if national.hasPrefix("0") { national.removeFirst() }
        return MobileNumber(areaCode: definition.areaCode, national: String(national), countryCode: definition.countryCode)
    }

    private static let longestNumber = 32
}
#endif
