#if Gateway
internal import Gateway
internal import JWTCore
internal import StatusListCache

/// The status lists of a provider in `/status.json`. Durations are in seconds.
struct StatusListsDocument: Encodable {
    let provider: String
    /// What lists said about tokens, since the terms of the provider last changed.
    let findings: [Finding]
    let lists: [List]

    struct Finding: Encodable {
        let finding: String
        let isAdmitted: Bool
        let count: UInt64
    }

    struct List: Encodable {
        let issuer: String
        let uri: String
        let issued: Int64?
        let bytes: Int
        let age: Double?
        /// How long the list still judges if every fetch fails.
        let acceptedFor: Double?
        let nextFetchIn: Double
        let isFetching: Bool
        let failures: Int
        let lastFailure: String?
    }

    init(_ statuses: TokenStatuses) {
        provider = statuses.provider
        findings = statuses.counts.map { Finding(finding: $0.finding, isAdmitted: $0.isAdmitted, count: $0.count) }
        lists = statuses.lists.statuses.map(List.init)
    }
}

extension StatusListsDocument.List {
    fileprivate init(_ status: StatusListStatus) {
        self.init(
            issuer: status.issuer, uri: status.uri, issued: status.issuedAt?.seconds, bytes: status.bytes,
            age: status.sinceSuccess?.inSeconds, acceptedFor: status.acceptedFor?.inSeconds, nextFetchIn: status.nextFetchIn.inSeconds,
            isFetching: status.isFetching, failures: status.failures, lastFailure: status.lastFailure)
    }
}
#endif
