#if Gateway
public import Gateway
public import HTTPEdge

/// All settings of the forward-auth service.
public struct ServiceConfiguration: Sendable {
    /// Where decisions are asked, and the metadata of protected resources.
    public var listeners: [ListenerSettings]
    /// Where operators ask. Never one of ``listeners``.
    public var administration: ListenPlace = .tcp("127.0.0.1:9190")
    /// The names that operators and Prometheus may call it by. Addresses and `localhost` need not be in it.
    public var administrationHosts: [String] = []
    /// Providers, policies and routes.
    public var decisions: GatewayConfiguration
    /// The file with revocations; nil: none.
    public var revocationFile: String?
    /// How keys are fetched.
    public var transport = TransportSettings()
    /// How those of providers with a transport of their own are fetched in place of it, by the provider's name.
    public var providerTransports: [String: TransportSettings] = [:]
    public var connections = Self.standardConnections
    public var tokenCache = TokenCacheSettings()
    public var log = LogSettings()
    public var replay = ReplaySettings()
    /// Events that revoke tokens; nil: none arrive.
    public var signals: SignalSettings?
    /// What reading the file found that may do something else than it seems to, in the order of files and lines.
    package internal(set) var remarks: [SettingsFault] = []
    /// The paths of the files that its file includes.
    var included: [String] = []
    var expandedTexts = ExpandedTexts()

    /// Those where decisions are asked.
    var decisionListeners: [ListenerSettings] { listeners.filter { $0.profile != .resourceMetadata } }

    package init(listeners: [ListenerSettings], decisions: GatewayConfiguration) {
        self.listeners = listeners
        self.decisions = decisions
    }

    /// Gateways send no bodies, and keep connections open for long.
    static let standardConnections = {
        var limits = ConnectionLimits()
        limits.idleTimeout = .seconds(300)
        return limits
    }()
}

/// Verdicts that are kept, so that a token that comes again costs no signature.
public struct TokenCacheSettings: Hashable, Sendable {
    /// 0: no cache.
    public var megabytes = 16
    public var maximumAge = Duration.seconds(300)
}

public struct LogSettings: Hashable, Sendable {
    /// trace, debug, info, notice, warning, error or critical.
    public var level = "info"
    public var access = AccessLogging.all
    /// What a line of the access log has beside what it always has.
    public var fields: AccessFields = []
    /// The client's field with the request's name, in lower case.
    public var requestIDHeader = "x-request-id"
    /// The field with the client's address, which only the gateway sets, in lower case; nil: what the gateway of the profile always tells.
    public var clientHeader: String?

    /// Which decisions the access log has.
    public enum AccessLogging: String, CaseIterable, Sendable {
        case all
        case denied
        case none
    }

    public struct AccessFields: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The client's address.
        public static let client = Self(rawValue: 1)
        /// The `sub` of an accepted token: personal data.
        public static let subject = Self(rawValue: 2)
        /// The request's name.
        public static let requestID = Self(rawValue: 4)
    }
}

/// A listener for decisions, or for metadata.
public struct ListenerSettings: Hashable, Sendable {
    /// In logs and metrics.
    public var name: String
    public var profile: ListenerProfile
    public var place: ListenPlace
    /// What Envoy puts before the client's path.
    public var pathPrefix = ""
    /// Fields that only the gateway can set, and the names of their values in routes.
    public var contextFields: [String: String] = [:]
    /// The field in which the gateway tells the certificate of its client; nil: none is read.
    public var certificateField: CertificateField?
    /// The fields that the gateway's own file handles, each a name or a beginning with `*`; nil if the configuration does not say so.
    public var handledFields: [String]?
}

/// The gateway that a listener speaks with, or what else it serves.
public enum ListenerProfile: String, CaseIterable, Sendable {
    case nginx
    case traefik
    case caddy
    case apisix
    case envoyHTTP = "envoy-http"
    case envoyGRPC = "envoy-grpc"
    /// Not asked for decisions: serves the metadata of protected resources (RFC 9728).
    case resourceMetadata = "resource-metadata"
}

/// Where a listener listens.
public enum ListenPlace: Hashable, Sendable {
    /// `host:port`.
    case tcp(String)
    case unix(UnixPlace)
    /// The sockets that systemd passes under this name.
    case activation(String)

    public struct UnixPlace: Hashable, Sendable {
        public var path: String
        public var mode: UInt32 = 0o660
        public var owner: String?
        public var group: String?
    }

    /// For logs.
    public var text: String {
        switch self {
        case .tcp(let address): address
        case .unix(let place): "unix:\(place.path)"
        case .activation(let name): "activation:\(name)"
        }
    }
}
#endif
