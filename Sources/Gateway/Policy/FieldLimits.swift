/// Limits of the fields that carry claims to the upstream, in bytes of their values. A request whose token exceeds them is refused
/// (`claims_too_large`): a cut value could mean something else.
public struct FieldLimits: Hashable, Sendable {
    /// One claim. 4 KiB: what nginx gives all header fields of an answer by default.
    public var valueBytes = 4_096
    /// All claims and payloads of a decision together. 24 KiB: a payload of the longest token, and its claims beside it.
    public var totalBytes = 24_576

    public init() {}
}
