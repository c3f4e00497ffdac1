/// A phone number of a listed country in canonical form. Users, limits and codes use it as a key.
public struct MobileNumber: Hashable, Sendable, CustomStringConvertible {
    /// The digits after the plus sign: `86`.
    public let areaCode: String
    /// The digits after the area code, without a trunk prefix.
    public let national: String
    /// ISO 3166-1: `CN`.
    public let country: String

    /// - Returns: nil unless both parts are ASCII digits, at most fifteen together (ITU-T E.164 section 6.1).
    init?(areaCode: String, national: String, country: String) {
        let digits = areaCode + national
        guard !areaCode.isEmpty, !national.isEmpty, digits.utf8.count <= 15, digits.utf8.allSatisfy(ASCIISet.digits.contains) else {
            return nil
        }
        self.areaCode = areaCode
        self.national = national
        self.country = country
    }

    /// In the protocol's notation: `+86-13800000000`.
    public var text: String { "+\(areaCode)-\(national)" }
    /// Masked, for logs.
    public var description: String { Masked.mobile(text) }
}
