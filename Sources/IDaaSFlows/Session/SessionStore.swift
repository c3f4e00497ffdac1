/// Keeps the device's identity and the session. Several processes may use one store; ``exclusively(_:)`` serialises them.
public protocol SessionStore: Sendable {
    /// The stored contents; empty if nothing is stored yet.
    func contents() async throws(FlowError) -> StoredContents

    /// Passes the contents to `body`, for one caller at a time in all processes, and stores them if they changed. If `body` throws, nothing
    /// changes.
    func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result
}

/// The contents of a store.
public struct StoredContents: Codable, Hashable, Sendable {
    /// The device's identity. Outlives every session.
    public var device: String?
    public var session: Session?
    /// The server clock's lead over this machine's at its last answer, in seconds.
    public var clockOffset: Int64?
    /// The user ids of the devices' keys, by tenant, client and subject of the last binding. Outlives every session.
    public var bindings: [String: String]?
    /// A login through WeChat that has not come back yet.
    public var authorization: PendingAuthorization?
    /// The signature algorithms that the metadata of the issuer lists, by issuer.
    public var algorithms: [String: [String]]?

    public init() {}

    /// The session, if it is of this client at this tenant.
    func session(of configuration: FlowConfiguration) -> Session? {
        guard let session, session.belongs(to: configuration) else { return nil }
        return session
    }
}

/// Why a store failed.
public struct StoreFailure: Error, Hashable, Sendable {
    public let reason: Reason

    public init(_ reason: Reason) { self.reason = reason }

    public enum Reason: String, Sendable, CaseIterable {
        case unreadable
        case unwritable
        /// Another user owns it or may read or write it, or it is a link.
        case notPrivate = "not_private"
        /// The contents have another format.
        case malformed
        /// Another process held it for too long.
        case busy
    }
}
