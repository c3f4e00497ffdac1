/// Where a device's identity and its session live. One store may be used by several processes at once; what they share is decided by who
/// has it exclusively.
public protocol SessionStore: Sendable {
    /// What is stored now; empty before anything was.
    func contents() async throws(FlowError) -> StoredContents

    /// Lends the contents to `body` while nobody else, in this process or another, has them so, and stores them if they were changed. A
    /// `body` that throws changes nothing.
    func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result
}

/// What a store holds.
public struct StoredContents: Codable, Hashable, Sendable {
    /// The device's identity. Outlives every session.
    public var device: String?
    public var session: Session?
    /// How far the server's clock was ahead of this machine's when it last answered, in seconds.
    public var clockOffset: Int64?

    public init() {}

    /// The session, if it is this client's at this tenant.
    func session(of configuration: FlowConfiguration) -> Session? {
        guard let session, session.belongs(to: configuration) else { return nil }
        return session
    }
}

/// Why a store does not do what it is for.
public struct StoreFailure: Error, Hashable, Sendable {
    public let reason: Reason

    public init(_ reason: Reason) { self.reason = reason }

    public enum Reason: String, Sendable, CaseIterable {
        case unreadable
        case unwritable
        /// Somebody else owns it, or may read or write it; or it is a link.
        case notPrivate = "not_private"
        /// It holds something else than a session.
        case malformed
        /// Another process has had it for too long.
        case busy
    }
}
