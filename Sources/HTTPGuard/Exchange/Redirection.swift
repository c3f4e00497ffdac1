internal import JWKSCache

/// The requests of one call: the first, and those for the targets of its redirects, within the origin of the first.
struct Redirection {
    /// The one to send now, and where.
    private(set) var request: OutgoingRequest
    private(set) var target: TargetURL
    private let first: (request: OutgoingRequest, target: TargetURL)
    private let limits: RequestLimits
    private var count = 0

    init(_ request: OutgoingRequest, to target: TargetURL, _ limits: RequestLimits) {
        self.request = request
        self.target = target
        first = (request, target)
        self.limits = limits
    }

    /// The response, if it is no redirect. Otherwise the next request is set.
    mutating func response(after response: ReceivedResponse) throws(RequestFailure) -> ReceivedResponse? {
        guard let location = response.redirectLocation else {
            // The caller would take it for a confirmation of its copy.
            guard response.status != 304 || request == first.request else {
                throw RequestFailure(.malformed, "\(target) sends an unasked 304")
            }
            return response
        }
        guard request.isRepeatable else { throw RequestFailure(.redirect, "\(target) redirects a \(request.method)") }
        target = try target.redirected(to: location)
        request = first.request.redirected
        count += 1
        guard count <= limits.redirects else {
            throw RequestFailure(.redirect, "\(first.target) redirects more than \(limits.redirects) times")
        }
        return nil
    }
}

extension ReceivedResponse {
    /// The redirect target, for the statuses that a client may follow automatically (RFC 9110 section 15.4).
    fileprivate var redirectLocation: String? { [301, 302, 303, 307, 308].contains(status) ? first("location") : nil }
}
