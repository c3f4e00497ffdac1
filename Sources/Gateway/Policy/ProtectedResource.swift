/// What the gateway protects, as clients learn of it: its metadata (RFC 9728) is served at the path that its identifier gives, and the
/// challenges of its policies name that address (``GatewayPolicy/resource``).
///
/// A token that a policy of the resource accepts names the identifier in `aud`.
public struct ProtectedResource: Sendable {
    /// `resource` (RFC 9728 section 1.2): an https URL without query and fragment, or an http URL of this machine.
    public var identifier: String
    /// `authorization_servers`. Nil: the issuers of its policies' providers that are URLs.
    public var authorizationServers: [String]?
    /// `scopes_supported`. Nil: the scopes of its policies.
    public var scopes: [String]?
    /// `jwks_uri`: the URL of its own public keys.
    public var keysURL: String?
    /// `resource_name`: for people.
    public var displayName: String?
    /// `resource_documentation`, `resource_policy_uri` and `resource_tos_uri`: URLs of pages for people.
    public var documentationURL: String?
    public var policyURL: String?
    public var termsURL: String?
    /// `authorization_details_types_supported` (RFC 9396).
    public var authorizationDetailsTypes: [String] = []
    /// `tls_client_certificate_bound_access_tokens` (RFC 8705).
    public var bindsCertificates = false
    /// Signs the metadata (RFC 9728 section 2.2); nil: it is not signed.
    public var signature: MetadataSignature?

    /// - Parameter identifier: an https URL without query and fragment, or an http URL of this machine.
    public init(_ identifier: String) { self.identifier = identifier }
}

extension ProtectedResource {
    /// Of a configuration. Each request for metadata looks at all.
    static let most = 256
    private static let mostElements = 64
    private static let mostTextBytes = 1_024

    func check(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard ResourceLocation(identifier) != nil else { throw ConfigurationFault(.invalidResource, path + [.member("resource")]) }
        let urls = [("keysURL", keysURL), ("documentationURL", documentationURL), ("policyURL", policyURL), ("termsURL", termsURL)]
        for (name, url) in urls where !(url.map(Self.isURL) ?? true) {
            throw ConfigurationFault(.invalidResourceURL, path + [.member(name)])
        }
        for (place, server) in (authorizationServers ?? []).enumerated() where !Self.isURL(server) || server.contains("?") {
            throw ConfigurationFault(.invalidResourceURL, path + [.member("authorizationServers"), .position(place)])
        }
        for (place, scope) in (scopes ?? []).enumerated() where !scope.isScope {
            throw ConfigurationFault(.invalidScope, path + [.member("scopes"), .position(place)])
        }
        let texts = [("displayName", displayName.map { [$0] } ?? []), ("authorizationDetailsTypes", authorizationDetailsTypes)]
        for (name, texts) in texts where !texts.allSatisfy({ (1...Self.mostTextBytes).contains($0.utf8.count) }) {
            throw ConfigurationFault(.resourceTooLarge, path + [.member(name)])
        }
        let lists = [("authorizationServers", authorizationServers ?? []), ("scopes", scopes ?? []), texts[1]]
        for (name, elements) in lists where elements.count > Self.mostElements {
            throw ConfigurationFault(.resourceTooLarge, path + [.member(name)])
        }
    }

    /// Whether clients may be sent there: https, or http to this machine.
    static func isURL(_ text: String) -> Bool { ResourceLocation.url(text) != nil }
}

extension String {
    /// Whether it is a `scope-token` (RFC 6749 section 3.3): %x21 / %x23-5B / %x5D-7E.
    var isScope: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c } }
}
