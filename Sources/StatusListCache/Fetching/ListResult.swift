package import JWKSCache
package import TokenStatus

/// The result of one fetch of a list.
package enum ListResult: Sendable {
    case list(VerifiedStatusList, CacheDirectives)
    /// The source confirms its last list (304).
    case notModified(CacheDirectives)
    case failed(StatusListFailure, retryAfter: Duration?)
}

extension ListResult {
    /// The result of a response without a list; nil for one whose body has to be verified.
    init?(_ response: ReceivedResponse, withoutListTo order: ListOrder) {
        switch response.status {
        case 200: return nil
        case 304 where order.request.isConditional: self = .notModified(CacheDirectives(response))
        case 304: self = .failed(.unexpectedNotModified, retryAfter: nil)
        default: self = .failed(.status(response.status), retryAfter: CacheDirectives.retryAfter(response))
        }
    }

    /// The result of a response whose body was verified.
    init(_ verdict: Result<VerifiedStatusList, StatusListError>, in response: ReceivedResponse) {
        self =
            switch verdict {
            case .success(let list): .list(list, CacheDirectives(response))
            case .failure(let error): .failed(.refused(error), retryAfter: nil)
            }
    }
}
