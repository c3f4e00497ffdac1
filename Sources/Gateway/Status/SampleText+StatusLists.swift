internal import StatusListCache

extension SampleText {
    /// The status lists by provider. An address is no label: tokens name addresses.
    package mutating func append(_ statuses: [TokenStatuses]) {
        guard !statuses.isEmpty else { return }
        type("assay_gateway_token_statuses_total", "counter")
        for one in statuses {
            for count in one.counts {
                sample(
                    "assay_gateway_token_statuses_total", count.count,
                    ["admitted": "\(count.isAdmitted)", "finding": count.finding, "provider": one.provider])
            }
        }
        let lists = statuses.map { ($0.provider, $0.lists.statuses) }
        gauge("assay_gateway_status_lists", lists) { $0.filter { $0.acceptedFor != nil }.count }
        gauge("assay_gateway_status_lists_failing", lists) { $0.filter { $0.failures > 0 }.count }
        gauge("assay_gateway_status_list_bytes", lists) { $0.reduce(0) { $0 + $1.bytes } }
    }

    private mutating func gauge(
        _ name: String, _ lists: [(provider: String, lists: [StatusListStatus])], _ value: ([StatusListStatus]) -> Int
    ) {
        type(name, "gauge")
        for (provider, lists) in lists { sample(name, value(lists), ["provider": provider]) }
    }
}
