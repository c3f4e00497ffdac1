package import HTTPEdge
internal import IDaaSWire

/// A refusal at the HTTP level: a code of the catalogue with its own status and fields.
package struct RequestRefusal: Error, Hashable, Sendable {
    package let status: Int
    package let error: ServiceError
    /// For `Allow` (RFC 9110 section 10.2.1).
    package var allowed: [String] = []
    /// For `WWW-Authenticate` (RFC 9110 section 11.6.1).
    package var challenge: String?

    package init(status: Int, _ error: ServiceError, allowed: [String] = [], challenge: String? = nil) {
        self.status = status
        self.error = error
        self.allowed = allowed
        self.challenge = challenge
    }

    /// The client of the token endpoint is not who it says (RFC 6749 section 5.2, `invalid_client`).
    package static func unauthenticated(_ error: ServiceError) -> RequestRefusal {
        RequestRefusal(status: 401, error, challenge: "Basic realm=\"token\"")
    }

    /// The request has no token that opens a protected resource. RFC 6750 section 3.1 wants no `error` where it has none at all.
    package static func unauthorized(_ error: ServiceError) -> RequestRefusal {
        RequestRefusal(status: 401, error, challenge: "Bearer" + (error.error.map { " error=\"\($0)\"" } ?? ""))
    }

    package static let notFound = RequestRefusal(status: 404, ServiceError(.invalidParameter, "path"))
    package static let unsupportedMediaType = RequestRefusal(status: 415, ServiceError(.invalidFormat, "Content-Type"))

    /// The request asks for what this server does not have (RFC 9110 section 15.6.2).
    package static func notImplemented(_ parameter: String) -> RequestRefusal {
        RequestRefusal(status: 501, ServiceError(.invalidParameter, parameter))
    }

    /// The server lacks memory for the answer, or its store does not answer (RFC 9110 section 15.6.4).
    package static let unavailable = RequestRefusal(status: 503, ServiceError(.systemBusy))

    package init(_ fault: RequestFault) { self.init(status: fault.status, ServiceError(.invalidFormat, "body")) }

    package static func methodNotAllowed(_ allowed: [String]) -> RequestRefusal {
        RequestRefusal(status: 405, ServiceError(.invalidParameter, "method"), allowed: allowed)
    }
}
