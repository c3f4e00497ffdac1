#if Gateway
internal import JWKSCache
internal import JWTCore

/// What the status document says of events. It has no subject and no name of an event.
struct SignalsDocument: Encodable {
    /// The revocations that events have made.
    let revocations: Int
    /// Whether what events revoke can be written down.
    let isWriting: Bool
    let streams: [Stream]

    struct Stream: Encodable {
        let name: String
        let issuer: String
        /// Whose tokens its events revoke.
        let revokes: String
        /// `push` or `poll`.
        let delivery: String
        /// Whether there are keys of the transmitter.
        let hasKeys: Bool
        let accepted: UInt64
        let repeated: UInt64
        /// By code.
        let refused: [String: UInt64]
        let delayed: [String: UInt64]
        let failedPolls: [String: UInt64]
        let effects: [String: UInt64]
        /// Of the last event that was accepted.
        let last: Int64?
    }

    init(_ signals: SignalReceiver) {
        revocations = signals.entries
        isWriting = !signals.writer.isFailing
        streams = signals.streams.map { stream in
            let values = stream.counts.latest
            return Stream(
                name: stream.name, issuer: stream.settings.issuer, revokes: stream.settings.revokes,
                delivery: stream.settings.path == nil ? "poll" : "push", hasKeys: stream.keys.isReady, accepted: values.accepted,
                repeated: values.repeated, refused: values.refused, delayed: values.delayed, failedPolls: values.failedPolls,
                effects: values.effects, last: values.last?.seconds)
        }
    }
}
#endif
