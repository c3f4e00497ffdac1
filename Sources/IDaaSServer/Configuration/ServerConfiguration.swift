public import HTTPEdge

/// All settings of the server. An empty text means that a setting is absent.
public struct ServerConfiguration: Hashable, Sendable, Codable {
    /// `host:port`; port 0 means a free port.
    public var listen = "127.0.0.1:8800"
    /// The origin that clients use for the server. Empty: the listener's own.
    public var publicURL = ""
    public var tls = TLSFiles()
    public var proxy = ProxySettings()
    /// The SQLite file, or the URL of a PostgreSQL database (`postgresql://…`) that servers share.
    public var database = "idaas.sqlite"
    /// The file with the server's key: 32 bytes as 64 hexadecimal digits or in base64. `ASSAY_IDAAS_KEY` in the environment takes
    /// precedence.
    public var keyFile = ""
    public var signing = SigningChoice()
    public var statusLists = StatusListChoice()
    public var signals = SignalSettings()
    public var oauth = OAuthChoice()
    public var sms = SMSSettings()
    /// The file with the accepted countries: JSON as `country-codes` serves it. Empty: the countries of the SDK documents.
    public var areaCodes = ""
    public var lifetimes = Lifetimes()
    public var limits = LimitSettings()
    public var connections = ConnectionLimits()
    public var audit = AuditSettings()
    public var readiness = ReadinessSettings()
    public var metrics = MetricsSettings()
    public var log = LogSettings()
    /// Keeps messages instead of sending them, and opens `/__dev`. Only on loopback, and never for personal data.
    public var development = false
    /// Where other providers are asked.
    public var upstreams = UpstreamSettings()
    /// Simulates WeChat, the carriers and Aliyun on this listener, and asks them. Only on loopback.
    public var simulators = false

    public init() {}
}

extension ServerConfiguration {
    /// PEM files; both or neither.
    public struct TLSFiles: Hashable, Sendable, Codable {
        /// The server's own certificate first.
        public var certificate = ""
        public var key = ""

        public init() {}

        public var isSet: Bool { !certificate.isEmpty }
    }

    public struct ProxySettings: Hashable, Sendable, Codable {
        /// A proxy in front ends TLS, so the server may use plain HTTP on addresses other than loopback.
        public var behind = false
        /// The trusted proxies, whose `X-Forwarded-For` is used: addresses and blocks such as `10.0.0.0/8`.
        public var trusted: [String] = []

        public init() {}
    }

    /// The settings of new signing keys. Existing keys keep theirs until they retire.
    public struct SigningChoice: Hashable, Sendable, Codable {
        /// `RS256` or `ES256`.
        public var algorithm = "RS256"
        /// Days until a new key replaces a key.
        public var rotationDays = 90
        /// Hours between a key's publication and its first signature.
        public var publicationHours = 24

        public init() {}
    }

    /// The lists that tell verifiers which id_tokens are revoked (draft-ietf-oauth-status-list-20).
    public struct StatusListChoice: Hashable, Sendable, Codable {
        /// Whether id_tokens name a place in a list, and lists are published.
        public var enabled = true
        /// Seconds for which a copy of a list may be used (`ttl`).
        public var ttlSeconds = 300
        /// Seconds after which a list expires (`exp`).
        public var expirySeconds = 7_200

        public init() {}
    }

    /// How shared signals reach their receivers (OpenID SSF 1.0). The receivers themselves are in the database: `assay idaas stream`.
    public struct SignalSettings: Hashable, Sendable, Codable {
        /// PEM of certificate authorities that are trusted for receivers, in addition to those of the system.
        public var authorities = ""
        /// Whether a receiver may be in a private network.
        public var allowsPrivateAddresses = false
        /// Seconds after which a signal that its receiver has not taken is dropped; at least the lifetime of an id_token.
        public var maximumAgeSeconds = 86_400

        public init() {}
    }

    /// Access tokens for protected resources, and clients that register themselves. Nothing of it is on without settings.
    public struct OAuthChoice: Hashable, Sendable, Codable {
        /// What access tokens are issued for.
        public var resources: [ProtectedResource] = []
        /// Whether clients may register by a request (RFC 7591).
        public var registration = false
        /// Whether a client may be named by the URL of its metadata document (draft-ietf-oauth-client-id-metadata-document).
        public var clientDocuments = false
        /// The application whose ways to log in registered clients have: its id.
        public var loginsOf = ""
        /// Registered clients at most, of both kinds together.
        public var maximumClients = 10_000
        /// Days after which a registered client that nobody has granted anything is removed.
        public var unusedDays = 7
        /// Days without use after which a registered client is removed; at least as long as a session lives.
        public var idleDays = 90
        /// PEM of certificate authorities that are trusted for documents, in addition to those of the system.
        public var authorities = ""
        /// Whether documents may be in a private network.
        public var allowsPrivateAddresses = false

        public init() {}
    }

    public struct SMSSettings: Hashable, Sendable, Codable {
        /// The URL that receives messages by POST: https, or http on loopback. Empty: only a server in development sends.
        public var webhook = ""
        /// The file with the secret that signs these requests: at least 16 bytes, readable only by its owner.
        public var secretFile = ""
        /// PEM of certificate authorities that are trusted for the webhook, in addition to those of the system.
        public var authorities = ""
        /// Whether the webhook may be in a private network.
        public var allowsPrivateAddresses = false

        public init() {}
    }

    public struct UpstreamSettings: Hashable, Sendable, Codable {
        /// WeChat's open platform.
        public var wechat = "https://api.weixin.qq.com"
        /// Aliyun's number service.
        public var dypnsapi = "https://dypnsapi.aliyuncs.com"
        /// PEM of certificate authorities that are trusted for both, in addition to those of the system.
        public var authorities = ""
        /// Whether both may be in a private network.
        public var allowsPrivateAddresses = false

        public init() {}
    }

    public struct AuditSettings: Hashable, Sendable, Codable {
        /// Lines of JSON. Empty: no audit file.
        public var file = ""
        /// Bytes after which a new file starts.
        public var rotateBytes = 67_108_864
        /// The number of old files that are kept.
        public var keep = 8
        /// Whether events are written into the database, where one stream has those of all servers: `assay idaas audit`.
        public var database = false
        /// Days for which the database keeps an event. The default is the longest half of a year.
        public var databaseDays = 184
        /// The name of this server in its events. Empty: the name of the machine.
        public var server = ""

        public init() {}
    }

    public struct ReadinessSettings: Hashable, Sendable, Codable {
        /// Free bytes that the database's file system needs for a 200 from `/readyz`.
        public var minimumFreeBytes = 67_108_864

        public init() {}
    }

    public struct MetricsSettings: Hashable, Sendable, Codable {
        /// The addresses and blocks that may read `/metrics`.
        public var readers = ["127.0.0.0/8", "::1"]

        public init() {}
    }

    public struct LogSettings: Hashable, Sendable, Codable {
        /// trace, debug, info, notice, warning, error or critical.
        public var level = "info"

        public init() {}
    }
}
