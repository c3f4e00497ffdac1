import CZlib
import JWTCore
import JWTTestSupport

/// A Status List Token to be signed, valid unless a test changes a member.
struct TestList: Sendable {
    static let issuer = "https://idp.example"
    static let uri = "https://status.example/lists/1"
    /// Issues lists.
    static let forge = TokenForge(.edDSA)
    /// Has a key of the same name.
    static let forger = TokenForge(.edDSA)

    var uri = Self.uri
    var bits = 8
    /// The list before compression: with eight bits, the statuses.
    var bytes: [UInt8] = [0, 1, 2, 3, 255]
    var issuedAt: Int64 = 1_700_000_000
    var timeToLive: Int?
    var expiration: Int64?
    var issuer: String?
    var isForged = false

    /// The signed token.
    var token: String {
        var claims = [#""sub":"\#(uri)""#, #""iat":\#(issuedAt)"#, #""status_list":{"bits":\#(bits),"lst":"\#(text)"}"#]
        if let timeToLive { claims.append(#""ttl":\#(timeToLive)"#) }
        if let expiration { claims.append(#""exp":\#(expiration)"#) }
        if let issuer { claims.append(#""iss":"\#(issuer)""#) }
        return (isForged ? Self.forger : Self.forge).token("{\(claims.joined(separator: ","))}", type: "statuslist+jwt")
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
    func with(_ change: (inout Self) -> Void) -> Self {
        var list = self
        change(&list)
        return list
    }
}
