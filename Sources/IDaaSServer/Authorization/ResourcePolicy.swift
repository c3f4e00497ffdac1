/// What clients can be granted, and which clients may come by themselves.
package struct ResourcePolicy: Hashable, Sendable {
    package var resources: [ProtectedResource] = []
    /// Whether clients may register by a request (RFC 7591).
    package var allowsRegistration = false
    /// Whether a client may be named by the URL of its metadata document.
    package var allowsDocuments = false
    /// The application whose ways to log in registered clients have. Without one they have none.
    package var loginsOf = ""
    package var maximumClients = 10_000
    /// How long a client is kept that nobody has granted anything.
    package var unusedLifetime = Duration.seconds(7 * 86_400)
    /// How long a client is kept after its last use; at least as long as a session lives.
    package var idleLifetime = Duration.seconds(90 * 86_400)

    package init() {}

    /// The configured resource of a URI, byte for byte.
    func resource(_ uri: String) -> ProtectedResource? { resources.first { RedirectAddress.isSame(uri, $0.uri) } }

    /// Every scope that a request may name for a resource, each once, in the order of the settings.
    var scopes: [String] {
        resources.flatMap(\.scopes).reduce(into: []) { known, scope in if !known.contains(scope) { known.append(scope) } }
    }
}
