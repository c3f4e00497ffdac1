#if IDaaS
/// All settings of the server. A text that is empty says that there is none.
public struct ServerConfiguration: Hashable, Sendable, Codable {
    /// `host:port`; port 0 is one that is free.
    public var listen = "127.0.0.1:8800"
    /// The origin under which clients know the server. Empty: the listener's own.
    public var publicURL = ""
    public var tls = TLSFiles()
    public var proxy = ProxySettings()
    /// The SQLite file.
    public var database = "idaas.sqlite"
    /// The file with the server's key: 32 bytes as 64 hexadecimal digits or in base64. `ASSAY_IDAAS_KEY` in the environment comes first.
    public var keyFile = ""
    public var signing = SigningChoice()
    public var sms = SMSSettings()
    /// The file with the countries that numbers are accepted of: JSON as `country-codes` serves it. Empty: those of the SDK documents.
    public var areaCodes = ""
    public var lifetimes = Lifetimes()
    public var limits = LimitSettings()
    public var connections = ConnectionSettings()
    public var audit = AuditSettings()
    public var metrics = MetricsSettings()
    public var log = LogSettings()
    /// Keeps messages instead of sending them and opens `/__dev`: on loopback only, and never for people's data.
    public var development = false

    public init() {}
}

extension ServerConfiguration {
    /// PEM files; both or none.
    public struct TLSFiles: Hashable, Sendable, Codable {
        /// The server's own certificate first.
        public var certificate = ""
        public var key = ""

        public init() {}

        public var isSet: Bool { !certificate.isEmpty }
    }

    public struct ProxySettings: Hashable, Sendable, Codable {
        /// Something in front ends TLS: plain HTTP may be listened for off loopback.
        public var behind = false
        /// Whose `X-Forwarded-For` is believed: addresses and blocks such as `10.0.0.0/8`.
        public var trusted: [String] = []

        public init() {}
    }

    /// What new signing keys are. Those there are stay until they have retired.
    public struct SigningChoice: Hashable, Sendable, Codable {
        /// `RS256` or `ES256`.
        public var algorithm = "RS256"
        /// Days until a key is followed by the next.
        public var rotationDays = 90
        /// Hours for which a key is published before it signs.
        public var publicationHours = 24

        public init() {}
    }

    public struct SMSSettings: Hashable, Sendable, Codable {
        /// Where messages are handed over: https, or http on loopback. Empty: nothing can be sent but in development.
        public var webhook = ""
        /// The file with the secret that signs what is handed over: at least 16 bytes.
        public var secretFile = ""
        /// PEM of authorities that are trusted for the webhook beside those of the system.
        public var authorities = ""
        /// Whether the webhook may be in a private network.
        public var allowsPrivateAddresses = false

        public init() {}
    }

    public struct ConnectionSettings: Hashable, Sendable, Codable {
        /// At most so many at once; others wait in the backlog.
        public var maximum = 4_096
        /// Seconds after which one that is idle is closed.
        public var idleSeconds = 60
        /// Seconds that requests have to end in when the server does.
        public var drainSeconds = 15

        public init() {}
    }

    public struct AuditSettings: Hashable, Sendable, Codable {
        /// Lines of JSON. Empty: none are kept.
        public var file = ""
        /// Bytes after which a new file is begun.
        public var rotateBytes = 67_108_864
        /// Files kept beside the one that is written.
        public var keep = 8

        public init() {}
    }

    public struct MetricsSettings: Hashable, Sendable, Codable {
        /// Who may read `/metrics`: addresses and blocks.
        public var readers = ["127.0.0.0/8", "::1"]

        public init() {}
    }

    public struct LogSettings: Hashable, Sendable, Codable {
        /// trace, debug, info, notice, warning, error or critical.
        public var level = "info"

        public init() {}
    }
}
#endif
