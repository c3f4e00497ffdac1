internal import JWKSCache

/// How a transfer ended.
struct TransferEnd {
    let result: Result<ReceivedResponse, RequestFailure>
    /// Whether the request may have been sent.
    let isEstablished: Bool
}

/// The addresses of one name, tried in order until one connects. A request that was sent is not sent again.
struct AddressAttempts {
    private var failure: RequestFailure

    init(_ target: TargetURL) { failure = RequestFailure(.unresolvedName, "\(target.origin.host) has no address") }

    /// The response; nil if another address may be tried.
    mutating func response(of end: TransferEnd) throws(RequestFailure) -> ReceivedResponse? {
        switch end.result {
        case .success(let response): return response
        case .failure(let reason): failure = reason
        }
        guard !end.isEstablished, failure.isOfTheAddress else { throw failure }
        return nil
    }

    /// After the last address.
    var failureOfAll: RequestFailure {
        var failure = failure
        failure.neverArrived = true
        return failure
    }
}
