// As long as a CompactToken is in use, its bytes cannot be changed.
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
