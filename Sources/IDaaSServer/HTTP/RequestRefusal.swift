#if IDaaS
package import HTTPEdge
internal import IDaaSWire

/// A request refused at the HTTP level, before an endpoint sees it: a code of the catalogue with its own status.
package struct RequestRefusal: Error, Hashable, Sendable {
    package let status: Int
    package let error: ServiceError
    /// For `Allow` (RFC 9110 section 10.2.1).
    package var allowed: [String] = []

    package init(status: Int, _ error: ServiceError, allowed: [String] = []) {
        self.status = status
        self.error = error
        self.allowed = allowed
    }

    package static let notFound = RequestRefusal(status: 404, ServiceError(.invalidParameter, "path"))
    package static let unsupportedMediaType = RequestRefusal(status: 415, ServiceError(.invalidFormat, "Content-Type"))

    /// The server lacks memory for the answer (RFC 9110 section 15.6.4).
    package static let unavailable = RequestRefusal(status: 503, ServiceError(.systemBusy))

    package init(_ fault: RequestFault) { self.init(status: fault.status, ServiceError(.invalidFormat, "body")) }

    package static func methodNotAllowed(_ allowed: [String]) -> RequestRefusal {
        RequestRefusal(status: 405, ServiceError(.invalidParameter, "method"), allowed: allowed)
    }
}
#endif
