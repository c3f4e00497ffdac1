internal import JWTCore

/// The scopes of a token: `scope`, a string with spaces (RFC 8693 section 4.2), and `scp`, which providers write as an array or as such a
/// string. A token with both has the scopes of both.
enum TokenScopes {
    static func contain(_ required: NameList, in claims: borrowing Claims) -> Bool {
        for position in 0..<required.count where !required.lend(position, { has($0, in: claims) }) { return false }
        return true
    }

    private static func has(_ scope: Span<UInt8>, in claims: borrowing Claims) -> Bool {
        if let claim = claims.value["scope"], grants(claim, scope) { return true }
        if let claim = claims.value["scp"], grants(claim, scope) { return true }
        return false
    }

    /// An element with a space is no scope, and none that is required has one.
    private static func grants(_ claim: borrowing JSONValue, _ scope: Span<UInt8>) -> Bool {
        if let string = claim.string { return hasWord(string, scope) }
        var isGranted = false
        claim.forEachElement { element in if element.string?.equals(scope) ?? false { isGranted = true } }
        return isGranted
    }

    private static func hasWord(_ text: borrowing JSONString, _ word: Span<UInt8>) -> Bool {
        let raw = text.raw, isEscaped = text.isEscaped
        var decoder = JSONStringDecoder(), count = 0, isSame = true
        while let byte = decoder.next(in: raw, isEscaped: isEscaped) {
            if byte == 0x20 {
                if isSame, count == word.count { return true }
                (count, isSame) = (0, true)
            } else {
                isSame = isSame && count < word.count && word[count] == byte
                count += 1
            }
        }
        return isSame && count == word.count
    }
}
