internal import JWTCore
internal import StatusListCache

/// The status lists of a provider as JSON. Durations are in seconds.
package struct StatusListsDocument: Encodable, Sendable {
    package let provider: String
    /// What lists said about tokens, since the terms of the provider last changed.
    package let findings: [Finding]
    package let lists: [List]

    package struct Finding: Encodable, Sendable {
        package let finding: String
        package let isAdmitted: Bool
        package let count: UInt64
    }

    package struct List: Encodable, Sendable {
        package let issuer: String
        package let uri: String
        package let issued: Int64?
        package let bytes: Int
        package let age: Double?
        /// How long the list still judges if every fetch fails.
        package let acceptedFor: Double?
        package let nextFetchIn: Double
        package let isFetching: Bool
        package let failures: Int
        package let lastFailure: String?
    }

    package init(_ statuses: TokenStatuses) {
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
