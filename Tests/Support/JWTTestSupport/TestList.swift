internal import CZlib
internal import JWTCore

/// A Status List Token to be signed, valid unless a test changes a member.
public struct TestList: Sendable {
    public static let issuer = "https://idp.example"
    public static let uri = "https://status.example/lists/1"
    /// Issues lists.
    public static let forge = TokenForge(.edDSA)
    /// Has a key of the same name.
    public static let forger = TokenForge(.edDSA)

    public var uri: String
    public var bits: Int
    /// The list before compression: with eight bits, the statuses.
    public var bytes: [UInt8]
    public var issuedAt: Int64
    public var timeToLive: Int?
    public var expiration: Int64?
    public var issuer: String?
    public var isForged: Bool
    /// Signs it, unless it is forged.
    public var signer: TokenForge

    public init(
        uri: String = Self.uri, bits: Int = 8, bytes: [UInt8] = [0, 1, 2, 3, 255], issuedAt: Int64 = 1_700_000_000, timeToLive: Int? = nil,
        expiration: Int64? = nil, issuer: String? = nil, isForged: Bool = false, signer: TokenForge = Self.forge
    ) {
        self.uri = uri
        self.bits = bits
        self.bytes = bytes
        self.issuedAt = issuedAt
        self.timeToLive = timeToLive
        self.expiration = expiration
        self.issuer = issuer
        self.isForged = isForged
        self.signer = signer
    }

    /// The signed token.
    public var token: String {
        var claims = [#""sub":"\#(uri)""#, #""iat":\#(issuedAt)"#, #""status_list":{"bits":\#(bits),"lst":"\#(text)"}"#]
        if let timeToLive { claims.append(#""ttl":\#(timeToLive)"#) }
        if let expiration { claims.append(#""exp":\#(expiration)"#) }
        if let issuer { claims.append(#""iss":"\#(issuer)""#) }
        return (isForged ? Self.forger : signer).token("{\(claims.joined(separator: ","))}", type: "statuslist+jwt")
    }

    /// `lst`.
    private var text: String {
        var count = compressBound(UInt(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(count))
        // SAFETY: `count` is the capacity before the call, and what was written after it.
        let result = unsafe compress2(&compressed, &count, bytes, UInt(bytes.count), 9)
        precondition(result == Z_OK, "zlib refuses the test's own list")
        return String(decoding: Base64URL.encode(compressed.prefix(Int(count))), as: UTF8.self)
    }

    /// The list with these changes.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var list = self
        change(&list)
        return list
    }
}
