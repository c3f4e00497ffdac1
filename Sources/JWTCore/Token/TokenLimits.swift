/// What a token may cost, decided before anything is read. Each default says why; set your own where your issuer needs more.
public struct TokenLimits: Hashable, Sendable {
    /// Bytes of the compact token. 16 KiB: what Node and most proxies take as all headers of a request together.
    public var tokenBytes = 16_384
    /// Bytes of the decoded header. 8 KiB: room for an `x5c` chain of three certificates, which is the longest seen.
    public var headerBytes = 8_192
    /// Containers within containers, the outermost counted. 16: the deepest id_token known (Keycloak's roles) has 4.
    public var depth = 16
    /// Members of one object of the header. 32: RFC 7515, RFC 7516 and RFC 7518 together register 20.
    public var headerMembers = 32
    /// Members of one object of the payload. 256: a Keycloak token lists one member per client; beyond that use a userinfo call.
    public var members = 256
    /// Values of the header altogether, containers and elements counted.
    public var headerValues = 256
    /// Values of the payload altogether. 2,048: ten times the group list at which Entra ID gives up and links instead.
    public var values = 2_048
    /// Bytes of one string or name, as written. 8 KiB: an embedded token or picture link, not an embedded picture.
    public var stringBytes = 8_192
    /// Characters of one number. 64: any 64-bit integer or double in any usual notation, with room; stops kilobytes of digits.
    public var numberBytes = 64
    /// Keys tried for a token that names none, or whose `kid` several keys share. 4: an overlap of two rotations; at most 8.
    public var candidateKeys = 4

    public init() {}

    /// The limits that ``TokenVerifier`` uses unless told otherwise.
    public static let standard = TokenLimits()

    /// Places in a token are kept in 32 bits.
    var mostTokenBytes: Int { min(tokenBytes, 1 << 30) }

    /// Records of the tapes: a value each, and a name for nearly each. Settings that no memory would hold are cut to a million.
    var headerNodes: Int { 2 * min(max(headerValues, 0), 1 << 20) }
    var nodes: Int { 2 * min(max(values, 0), 1 << 20) }

    var json: JSONLimits { JSONLimits(depth: depth, members: members, values: values, stringBytes: stringBytes, numberBytes: numberBytes) }

    var headerJSON: JSONLimits {
        JSONLimits(depth: depth, members: headerMembers, values: headerValues, stringBytes: stringBytes, numberBytes: numberBytes)
    }
}

/// The part of ``TokenLimits`` that one JSON text is held to.
package struct JSONLimits: Hashable, Sendable, BitwiseCopyable {
    package var depth: Int
    package var members: Int
    package var values: Int
    package var stringBytes: Int
    package var numberBytes: Int

    package init(depth: Int, members: Int, values: Int, stringBytes: Int, numberBytes: Int) {
        self.depth = depth
        self.members = members
        self.values = values
        self.stringBytes = stringBytes
        self.numberBytes = numberBytes
    }
}
