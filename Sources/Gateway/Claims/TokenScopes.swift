internal import JWTCore

/// The scopes of a token: `scope`, a string with spaces (RFC 8693 section 4.2), and `scp`, which providers write as an array or as such a
/// string. A token with both has the scopes of both.
enum TokenScopes {
    static func contain(_ required: [[UInt8]], in claims: borrowing Claims) -> Bool {
        guard !required.isEmpty else { return true }
        var granted: [UInt8] = []
        if let scope = claims.value["scope"] { append(scope, to: &granted) }
        if let scopes = claims.value["scp"] { append(scopes, to: &granted) }
        return required.allSatisfy { isWord($0, in: granted) }
    }

    /// Appends the scopes of a claim with a space after each. An element with a space is no scope.
    private static func append(_ claim: borrowing JSONValue, to granted: inout [UInt8]) {
        if let string = claim.string {
            granted += string.utf8
            granted.append(0x20)
        } else {
            claim.forEachElement { element in
                guard let string = element.string?.utf8, !string.contains(0x20) else { return }
                granted += string
                granted.append(0x20)
            }
        }
    }

    private static func isWord(_ scope: [UInt8], in granted: [UInt8]) -> Bool {
        var rest = granted[...]
        while !rest.isEmpty {
            let word = rest.prefix { $0 != 0x20 }
            if word.elementsEqual(scope) { return true }
            rest = rest[word.endIndex...].dropFirst()
        }
        return false
    }
}
