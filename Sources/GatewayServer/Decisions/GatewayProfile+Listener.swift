#if Gateway
internal import Gateway

extension GatewayProfile {
    /// The profile of a listener; nil for one that does not speak HTTP/1.1.
    init?(_ listener: ListenerSettings) {
        guard let kind = Self.kind(of: listener.profile) else { return nil }
        self.init(kind)
        pathPrefix = listener.pathPrefix
        contextFields = listener.contextFields
        certificateField = listener.certificateField
    }

    private static func kind(of profile: ListenerProfile) -> Kind? {
        switch profile {
        case .nginx: .nginx
        case .traefik: .traefik
        case .caddy: .caddy
        case .apisix: .apisix
        case .envoyHTTP: .envoy
        case .envoyGRPC, .resourceMetadata: nil
        }
    }
}
#endif
