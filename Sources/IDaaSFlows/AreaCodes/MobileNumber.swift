/// A phone number of a country the tenant takes, checked.
public struct MobileNumber: Hashable, Sendable, CustomStringConvertible {
    public let areaCode: String
    /// Digits alone, without a trunk zero.
    public let national: String
    public let country: String

    /// As the protocol has it: `+86-13800000000`.
    public var wireText: String { "+\(areaCode)-\(national)" }
    /// ITU-T E.164: `+8613800000000`.
    public var e164: String { "+\(areaCode)\(national)" }
    /// Masked, so that a log that prints one does no harm.
    public var description: String { Masked.mobile(wireText) }
}
