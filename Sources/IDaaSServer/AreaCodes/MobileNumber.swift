#if IDaaS
/// A phone number in the one notation that everything is keyed by: E.164 with a hyphen behind the country code, `+86-13800000000`.
package struct MobileNumber: Hashable, Sendable {
    /// `+CC-NSN`.
    package let text: String
    /// ISO 3166-1, as the area codes have it.
    package let countryCode: String
    private let areaCode: String
    private let national: String

    /// Nil unless all of it is decimal digits, and at most the fifteen of E.164.
    init?(areaCode: String, national: String, countryCode: String) {
        let digits = areaCode + national
        guard !national.isEmpty, digits.utf8.count <= 15, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        text = "+\(areaCode)-\(national)"
        self.areaCode = areaCode
        self.national = national
        self.countryCode = countryCode
    }

    /// For logs: `+86-138****0000`. Of a short number, less.
    package var masked: String {
        let shown = national.count >= 11 ? 3 : national.count >= 8 ? 2 : 0
        let end = national.count >= 8 ? 4 : 2
        return "+\(areaCode)-\(national.prefix(shown))****\(national.suffix(end))"
    }
}
#endif
