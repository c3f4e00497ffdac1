#if Gateway
public import JWKSCache
internal import JWTCore

/// Where events of transmitters arrive (the Shared Signals Framework), and what they may revoke.
public struct SignalSettings: Hashable, Sendable {
    /// The listener for events that are pushed; nil if all are polled.
    public var place: ListenPlace?
    /// The file of revocations that events have made, which a restart reads. Nothing else writes it.
    public var log: String
    /// The longest lifetime of a token. What an event has revoked is kept as long.
    public var tokenLifetime = Duration.seconds(86_400)
    public var streams: [Stream] = []

    /// What one transmitter sends to this service.
    public struct Stream: Hashable, Sendable {
        /// In logs and metrics.
        public var name: String
        /// The transmitter: `iss` of its tokens, byte for byte.
        public var issuer: String
        /// This service: `aud` of its tokens.
        public var audience: String
        /// The transmitter's keys.
        public var keys: KeySetSource
        /// The issuer whose tokens the events revoke.
        public var revokes: String
        /// Whether a changed credential revokes the user's earlier tokens.
        public var credentialChangeRevokes = false
        /// The age at which an event is refused.
        public var maximumAge = Duration.seconds(86_400)
        public var leeway = Duration.seconds(60)
        /// How many tokens are remembered, so that none has its effect twice.
        public var mostTokens: Int
        public var delivery: Delivery
        /// How keys and events are fetched.
        public var transport: TransportSettings
    }

    /// How events come.
    public enum Delivery: Hashable, Sendable {
        case push(Push)
        case poll(Poll)
    }

    /// RFC 8935.
    public struct Push: Hashable, Sendable {
        /// The path that the transmitter posts to.
        public var path: String
        /// What the transmitter has to send; nil: the signature of an event is enough.
        public var secret: SignalSecret?
    }

    /// RFC 8936.
    public struct Poll: Hashable, Sendable {
        public var url: String
        public var secret: SignalSecret?
        /// The shortest time between two questions that bring nothing new.
        public var interval = Duration.seconds(1)
        /// How long the transmitter may hold a question back until there are events; zero: it answers at once.
        public var wait = Duration.seconds(30)
        /// Of one answer. Each may end 400 sessions: a hundred at once cost a service 40 MB, a third of them half of that.
        public var mostEvents = 32
    }
}

extension SignalSettings {
    /// The files that only the service has to read.
    var secretFiles: [String] {
        streams.compactMap { if case .file(let path)? = $0.secret { path } else { nil } }
    }
}

extension SignalSettings.Stream {
    var path: String? { if case .push(let push) = delivery { push.path } else { nil } }
    var secret: SignalSecret? {
        switch delivery {
        case .push(let push): push.secret
        case .poll(let poll): poll.secret
        }
    }
}
#endif
