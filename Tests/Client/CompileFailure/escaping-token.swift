// A CompactToken is a view of its bytes and cannot outlive them.
// Expected: lifetime-dependent value escapes its scope
import JWTCore

func headerLength(of text: String) throws -> Int {
    #if VIOLATE
    let token = try {
        let bytes = Array(text.utf8)
        return try CompactToken(parsing: bytes.span)
    }()
    return token.header.count
    #else
    let bytes = Array(text.utf8)
    let token = try CompactToken(parsing: bytes.span)
    return token.header.count
    #endif
}
