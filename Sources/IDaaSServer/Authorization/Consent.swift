internal import IDaaSWire

/// What the login page tells the user of an authorization request, before the user answers it.
package struct Consent: Hashable, Sendable {
    /// Who asks: the name that a registered client gives itself, or an administrator's name for the application; empty for none.
    package var client: String
    /// The host of the client's metadata document, which vouches for its name; nil where nobody does.
    package var documentHost: String?
    /// The host that gets the authorization code; nil for an application on this device.
    package var redirectHost: String?
    package var isRegistered: Bool
    /// The name of the resource, and its URI.
    package var resource: String
    package var uri: String
    package var scopes: [String]
    /// Whether access can be renewed while the user is away, and for how many days.
    package var renewableDays: Int?
}

extension Consent {
    init?(_ content: AuthorizationRequests.Content, of client: Client, _ environment: SharedEnvironment) {
        guard let access = content.access, let resource = environment.resources.resource(access.resource) else { return nil }
        let registration = client.settings.web?.registration
        self.init(
            client: registration?.name ?? client.name, documentHost: registration?.documentHost,
            redirectHost: RedirectAddress.host(of: content.redirectURI), isRegistered: registration != nil, resource: resource.shownName,
            uri: resource.uri, scopes: access.scopes,
            renewableDays: access.isRenewable ? Int((environment.lifetimes.sessionAbsolute.components.seconds + 86_399) / 86_400) : nil)
    }
}
