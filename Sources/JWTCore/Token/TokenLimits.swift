/// The limits of a token, checked before any signature. Each default has its reason; set your own if your issuer needs more.
public struct TokenLimits: Hashable, Sendable {
    /// Bytes of the compact token. 16 KiB: the limit of Node and most proxies for all headers of a request together.
    public var tokenBytes = 16_384
    /// Bytes of the decoded header. 8 KiB: room for an `x5c` chain of three certificates, the longest seen.
    public var headerBytes = 8_192
    /// Nesting depth of containers, including the outermost. 16: the deepest known id_token (Keycloak's roles) has 4.
    public var depth = 16
    /// Members of one object of the header. 32: RFC 7515, RFC 7516 and RFC 7518 together register 20.
    public var headerMembers = 32
    /// Members of one object of the payload. 256: a Keycloak token lists one member per client; for more, use a userinfo call.
    public var members = 256
    /// Total number of values in the header, including containers and elements. 64: no known header has thirty.
    public var headerValues = 64
    /// Escapes in the strings and names of the header. 256: PHP's `json_encode` writes one for each slash, of which three certificates in
    /// `x5c` have about ninety.
    public var headerEscapes = 256
    /// Total number of values in the payload. 2,048: ten times the group list for which Entra ID sends a link instead.
    public var values = 2_048
    /// Bytes of one string or name, as written. 8 KiB: an embedded token or picture link, not an embedded picture.
    public var stringBytes = 8_192
    /// Characters of one number. 64: more than any 64-bit integer or double needs in a usual notation; stops kilobytes of digits.
    public var numberBytes = 64
    /// Keys tried for a token without a `kid`, or with a `kid` that several keys share. 4: an overlap of two rotations; at most 8.
    public var candidateKeys = 4

    /// Bytes of a decoded header in which a name has an escape, and of a payload in which the name `iss` has one, where the issuer chooses the
    /// keys. 128: no known issuer writes one, and it is read more slowly.
    static let escapedNameBytes = 128

    public init() {}

    /// The default limits of ``TokenVerifier``.
    public static let standard = TokenLimits()

    /// Positions in a token are stored in 32 bits.
    var mostTokenBytes: Int { min(tokenBytes, 1 << 30) }

    /// Records of the tapes: one per value, and one per name. Settings beyond any real memory are cut to a million.
    var headerNodes: Int { 2 * min(max(headerValues, 0), 1 << 20) }
    var nodes: Int { 2 * mostValues }
    private var mostValues: Int { min(max(values, 0), 1 << 20) }

    package var json: JSONLimits {
        JSONLimits(depth: depth, members: members, values: mostValues, stringBytes: stringBytes, numberBytes: numberBytes)
    }

    package var headerJSON: JSONLimits {
        var limits = json
        (limits.members, limits.values) = (headerMembers, headerValues)
        limits.escapes = headerEscapes
        limits.escapedNameBytes = Self.escapedNameBytes
        return limits
    }
}
