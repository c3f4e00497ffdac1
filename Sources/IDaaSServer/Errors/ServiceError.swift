package import IDaaSWire

/// The refusal of a request: a code of the catalogue, with the values for its text and details.
package struct ServiceError: Error, Hashable, Sendable {
    package var code: ServiceCode
    /// The values of {0}, {1} … in the text.
    package var arguments: [String]
    /// The attempts left.
    package var remaining: Int?
    /// The time after which the client may try again, in whole seconds; for `rateLimited` also the Retry-After field.
    package var retryAfter: Duration?
    /// The `error` of OpenID CIBA or OAuth 2.0 that the endpoint answers beside the code.
    package var error: String?

    package init(_ code: ServiceCode, _ arguments: String..., remaining: Int? = nil, retryAfter: Duration? = nil) {
        self.code = code
        self.arguments = arguments
        self.remaining = remaining
        self.retryAfter = retryAfter
    }
}
