internal import NIOCore
internal import NIOHTTP1

/// The resources that one connection, and all connections together, may use.
///
/// A connection carries one request at a time. The server reads the next request only after the client has taken the last answer, so a
/// connection never holds more than one head, one body and one answer, plus 16 KiB.
public struct ConnectionLimits: Hashable, Sendable, Codable {
    /// Total connections. Further ones wait in the listener's backlog.
    public var maximum = 4_096
    /// Connections of one peer address; the addresses of an IPv6 /64 network count as one. The server closes further ones immediately.
    public var maximumPerAddress = 256
    /// For the head of a request, from its first byte; and for the first byte of a connection, TLS handshake included.
    public var headTimeout = Duration.seconds(10)
    /// For the body of a request, from the end of its head.
    public var bodyTimeout = Duration.seconds(30)
    /// For the client to take an answer.
    public var writeTimeout = Duration.seconds(30)
    /// The minimum rate of a body and of an answer, in bytes per second, after the first ``grace``.
    public var minimumBytesPerSecond = 500
    /// How long a connection stays open between two requests.
    public var idleTimeout = Duration.seconds(60)
    /// How long requests under way get to end when the server stops.
    public var drainTimeout = Duration.seconds(15)
    /// Total bytes of a request's header fields. The configuration file does not set it.
    public var headBytes = 32_768
    /// Bytes of a request's body. The configuration file does not set it.
    public var bodyBytes = 65_536

    /// The time before the minimum rate counts: a connection may be slow to start.
    public static let grace = Duration.seconds(5)

    public init() {}

    private enum CodingKeys: String, CodingKey {
        case maximum, maximumPerAddress, minimumBytesPerSecond
        case headTimeout = "headSeconds"
        case bodyTimeout = "bodySeconds"
        case writeTimeout = "writeSeconds"
        case idleTimeout = "idleSeconds"
        case drainTimeout = "drainSeconds"
    }
}

extension ConnectionLimits {
    /// The numbers of the configuration file; the minimum of each is 1.
    package var counts: [(name: String, count: Int)] {
        [
            ("maximum", maximum), ("maximumPerAddress", maximumPerAddress), ("minimumBytesPerSecond", minimumBytesPerSecond),
        ]
    }

    /// The spans of the configuration file, with the minimum of each in seconds.
    package var spans: [(name: String, span: Duration, least: Int)] {
        [
            ("headSeconds", headTimeout, 1), ("bodySeconds", bodyTimeout, 1), ("writeSeconds", writeTimeout, 1),
            ("idleSeconds", idleTimeout, 1), ("drainSeconds", drainTimeout, 0),
        ]
    }

    /// NIO's limits for a head.
    var parser: NIOHTTPDecoderLimitConfiguration {
        var parser = NIOHTTPDecoderLimitConfiguration()
        parser.maxHeaderFieldSize = headBytes
        parser.maxHeaderListSize = headBytes
        return parser
    }

    /// The deadline for `bytes` that started at `start`: at most `timeout` later, and earlier if the minimum rate demands it.
    func deadline(from start: NIODeadline, bytes: Int, within timeout: Duration) -> NIODeadline {
        start + TimeAmount(min(timeout, Self.grace + .seconds(bytes / minimumBytesPerSecond)))
    }
}
