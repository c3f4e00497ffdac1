// The bytes of a CompactToken cannot change while it is in use.
// Expected: overlapping accesses to 'bytes'
import JWTCore

func headerLength(of text: String) throws -> Int {
    var bytes = Array(text.utf8)
    #if VIOLATE
    let token = try CompactToken(parsing: bytes.span)
    bytes.append(0)
    return token.header.count
    #else
    let length = try CompactToken(parsing: bytes.span).header.count
    bytes.append(0)
    return length
    #endif
}
