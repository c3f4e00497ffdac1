public import JWTCore

/// The limits of a presentation, checked before any signature. Each default has its reason; set your own if your issuer needs more.
public struct PresentationLimits: Hashable, Sendable {
    /// Of the issuer's token and the holder's token. Its limits of JSON are also those of each disclosure and of the claims put together.
    public var token = TokenLimits.standard
    /// Bytes of the whole presentation. 64 KiB: an issuer's token of 16 KiB, and disclosures for all that it has digests of.
    public var bytes = 65_536
    /// Disclosures of one presentation. 128: a complete identity card of the European wallet has about thirty.
    public var disclosures = 128
    /// Characters of one disclosure. 16 KiB: an embedded token or document; a picture needs more.
    public var disclosureBytes = 16_384

    public init() {}

    public static let standard = Self()
}
