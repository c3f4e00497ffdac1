internal import JWTCore

/// A revocation list, prepared for lookups that allocate nothing. Names are compared byte for byte.
final class RevocationIndex: Sendable {
    private let everywhere: Scope
    private let issuers: NameIndex
    private let scopes: [Scope]
    let list: RevocationList

    /// The entries of one issuer, or those for all.
    private struct Scope {
        let keyIDs: NameIndex
        let hasKeyIDs: Bool
        let subjects: NameIndex
        let tokenIDs: NameIndex
        let sessionIDs: NameIndex
        /// The latest of several.
        let issuedBefore: NumericDate?

        init(_ subjects: [RevocationList.Subject]) {
            let keyNames = subjects.compactMap { if case .keyID(let name) = $0 { name } else { nil } }
            keyIDs = NameIndex(keyNames)
            hasKeyIDs = !keyNames.isEmpty
            self.subjects = NameIndex(subjects.compactMap { if case .subject(let name) = $0 { name } else { nil } })
            tokenIDs = NameIndex(subjects.compactMap { if case .tokenID(let name) = $0 { name } else { nil } })
            sessionIDs = NameIndex(subjects.compactMap { if case .sessionID(let name) = $0 { name } else { nil } })
            issuedBefore = subjects.compactMap { if case .issuedBefore(let date) = $0 { date } else { nil } }.max()
        }

        func revokes(_ claims: borrowing Claims) -> Bool {
            if let issuedBefore, claims.issuedAt.map({ $0 < issuedBefore }) ?? true { return true }
            // Any key may have signed a token that names none: the holder of the revoked key would leave out its name.
            if hasKeyIDs {
                guard let name = claims.header.keyID, keyIDs.first(name) < 0 else { return true }
            }
            if let name = claims.subject, subjects.first(name) >= 0 { return true }
            if let name = claims.tokenID, tokenIDs.first(name) >= 0 { return true }
            if let name = claims[.sessionID]?.string, sessionIDs.first(name) >= 0 { return true }
            return false
        }
    }

    init(_ list: RevocationList) {
        var byIssuer: [[UInt8]: [RevocationList.Subject]] = [:]
        var names: [String] = []
        for entry in list.entries {
            guard let issuer = entry.issuer else { continue }
            if byIssuer[Array(issuer.utf8)] == nil { names.append(issuer) }
            byIssuer[Array(issuer.utf8), default: []].append(entry.subject)
        }
        everywhere = Scope(list.entries.filter { $0.issuer == nil }.map(\.subject))
        issuers = NameIndex(names)
        scopes = names.map { Scope(byIssuer[Array($0.utf8)] ?? []) }
        self.list = list
    }

    /// Whether an entry applies to the token.
    func revokes(_ claims: borrowing Claims) -> Bool {
        if list.entries.isEmpty { return false }
        if everywhere.revokes(claims) { return true }
        guard !scopes.isEmpty, let issuer = claims.issuer else { return false }
        let place = issuers.first(issuer)
        return place >= 0 && scopes[place].revokes(claims)
    }
}
