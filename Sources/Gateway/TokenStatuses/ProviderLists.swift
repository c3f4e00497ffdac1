internal import JWKSCache
internal import JWTCore
package import StatusListCache

/// The status lists of a provider's issuers. Tasks fetch them, or the host of a library does.
package enum ProviderLists: Sendable {
    case tasks(StatusLists)
    case hosted(HostedStatusLists)

    init(_ issuers: [StatusListIssuer], _ terms: StatusListTerms, _ fetching: ListFetching) {
        self =
            switch fetching {
            case .tasks(let transport, let clock):
                .tasks(StatusLists(issuers, policy: terms.policy, limits: terms.limits, transport: transport, clock: clock))
            case .host(let host, let seed):
                .hosted(HostedStatusLists(issuers, policy: terms.policy, limits: terms.limits, host: host, seed: seed))
            }
    }

    package var hosted: HostedStatusLists? { if case .hosted(let lists) = self { lists } else { nil } }

    /// What the list says of the token with this reference. Never waits.
    @inline(__always)
    func verdict(of reference: borrowing StatusReference, issuer: borrowing JSONString) -> StatusVerdict {
        switch self {
        case .tasks(let lists): lists.verdict(of: reference, issuer: issuer)
        case .hosted(let lists): lists.verdict(of: reference, issuer: issuer)
        }
    }

    /// The list that a token lacks, if waiting for it can be of use: tasks know that only when they are waited for.
    func awaited(index: Int, uri: String, issuer: String) -> AwaitedStatus? {
        switch self {
        case .tasks(let lists): AwaitedStatus(lists, index: index, uri: uri, issuer: issuer)
        case .hosted(let lists): lists.mayCome(uri, of: issuer) ? .byHost : nil
        }
    }

    /// The status of every list, and of every address from which none came.
    package var statuses: [StatusListStatus] {
        switch self {
        case .tasks(let lists): lists.statuses
        case .hosted(let lists): lists.statuses
        }
    }
}

extension StatusListIssuer {
    /// An issuer with its own keys. The program or its host may fetch them.
    init(
        _ issuer: String, origins: [String], keys: ProviderKeys, policy: ClaimsPolicy
    ) throws(RequestFailure) {
        switch keys {
        case .remote(let keys): try self.init(issuer, origins: origins, keys: keys, policy: policy)
        case .hosted(let keys): try self.init(issuer, origins: origins, keys: keys, policy: policy)
        case .fixed(let keys): try self.init(issuer, origins: origins, keys: keys, policy: policy)
        }
    }
}
