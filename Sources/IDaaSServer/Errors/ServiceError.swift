#if IDaaS
/// What a request is refused with: a code of the catalogue and what its text and details need.
public struct ServiceError: Error, Hashable, Sendable {
    public var code: ErrorCode
    /// What stands for {0}, {1} … in the text.
    public var arguments: [String]
    /// Tries that are left.
    public var remaining: Int?
    /// Seconds until a repetition makes sense; for `rateLimited` the Retry-After field too.
    public var retryAfter: Int?

    public init(_ code: ErrorCode, _ arguments: String..., remaining: Int? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.arguments = arguments
        self.remaining = remaining
        self.retryAfter = retryAfter
    }
}
#endif
