#if IDaaS
/// A request that is refused as HTTP already, before an endpoint looks at it: a code of the catalogue with a status of its own.
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
    package static let contentTooLarge = RequestRefusal(status: 413, ServiceError(.invalidFormat, "body"))
    package static let unsupportedMediaType = RequestRefusal(status: 415, ServiceError(.invalidFormat, "Content-Type"))

    package static func methodNotAllowed(_ allowed: [String]) -> RequestRefusal {
        RequestRefusal(status: 405, ServiceError(.invalidParameter, "method"), allowed: allowed)
    }
}
#endif
