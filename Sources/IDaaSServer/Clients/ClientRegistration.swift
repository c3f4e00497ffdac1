/// How a client that registered itself is shown to users, and what it may have.
package struct ClientRegistration: Hashable, Sendable, Codable {
    /// The name that it gives itself. Nobody has checked it.
    package var name: String
    /// The host of its metadata document, which vouches for it; nil for a client that was registered by a request.
    package var documentHost: String?
    /// Whether it may refresh.
    package var isRenewable: Bool
}
