internal import JWTCore

extension RevocationTable {
    /// Whether an entry applies to the token.
    func revokes(_ claims: borrowing Claims) -> Bool {
        let kinds = kinds
        if kinds & 0xff != 0, revokes(claims, kinds, 0) { return true }
        guard kinds >> 8 != 0, let issuer = claims.issuer else { return false }
        let place = place(.issuer, 0, issuer)
        return place >= 0 && revokes(claims, kinds >> 8, UInt32(place + 1))
    }

    private func revokes(_ claims: borrowing Claims, _ kinds: UInt32, _ scope: UInt32) -> Bool {
        if Self.has(.issuedBefore, kinds), isOlder(claims, place(.issuedBefore, scope)) { return true }
        // Any key may have signed a token that names none: the holder of the revoked key would leave out its name.
        if Self.has(.keyID, kinds), place(.anyKey, scope) >= 0 {
            guard let name = claims.header.keyID, place(.keyID, scope, name) < 0 else { return true }
        }
        if Self.has(.subject, kinds), let name = claims.subject, place(.subject, scope, name) >= 0 { return true }
        if Self.has(.subjectBefore, kinds), let name = claims.subject, isOlder(claims, place(.subjectBefore, scope, name)) { return true }
        if Self.has(.tokenID, kinds), let name = claims.tokenID, place(.tokenID, scope, name) >= 0 { return true }
        if Self.has(.sessionID, kinds), let name = claims[.sessionID]?.string, place(.sessionID, scope, name) >= 0 { return true }
        return false
    }

    private static func has(_ kind: Kind, _ kinds: UInt32) -> Bool { kinds & 1 << UInt32(kind.rawValue) != 0 }

    /// Whether the token was issued before the date of the record, or says no time; false for no record.
    private func isOlder(_ claims: borrowing Claims, _ place: Int) -> Bool {
        guard place >= 0 else { return false }
        let before = record(at: place).before
        return claims.issuedAt.map { $0 < before } ?? true
    }
}
