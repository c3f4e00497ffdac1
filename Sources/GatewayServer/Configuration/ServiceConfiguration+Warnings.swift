#if Gateway
package import Gateway
internal import JWKSCache

extension ServiceConfiguration {
    /// What the service takes although it has less effect than it seems to have: it may be meant.
    package func warnings(revocations list: RevocationList) -> [SettingsFault] {
        expandedTexts.conceal(remarks + forwardedQueries) + idleRevocations(list)
    }

    /// The issuers that entries of `list` name and no provider has. One file may be for several gateways with different providers.
    func idleRevocations(_ list: RevocationList) -> [SettingsFault] {
        let issuers = decisions.issuers.map(\.issuer), file = revocationFile ?? "revocations"
        var known = Set(issuers.map { Array($0.utf8) })
        let strangers = list.entries.compactMap(\.issuer).filter { known.insert(Array($0.utf8)).inserted }
        let warnings = strangers.map { issuer in
            let question = Suggestion.question(issuer, in: issuers)
            return SettingsFault(
                line: 0, .unknownName, "\(file): no provider has the issuer `\(issuer.prefix(128))`: its entries revoke nothing\(question)")
        }
        return expandedTexts.conceal(warnings)
    }

    /// Providers that keep their tokens from the upstream, behind listeners whose gateways cannot take one out of the query.
    private var forwardedQueries: [SettingsFault] {
        let names = decisionListeners.filter { !$0.removesParameters }.map(\.name)
        guard !names.isEmpty else { return [] }
        return decisions.providers.filter(\.withholdsQuery).map { provider in
            let place = "behind \(names.joined(separator: ", "))"
            return SettingsFault(
                line: 0, .conflict, "`forwardToken` of \(provider.name): \(place) a token in the query stays in the URL for the upstream")
        }
    }
}
#endif
