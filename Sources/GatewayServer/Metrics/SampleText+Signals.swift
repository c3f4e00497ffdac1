#if Gateway
internal import Gateway
internal import JWTCore
internal import SharedSignals

extension SampleText {
    /// What the streams of events have brought.
    mutating func append(_ signals: SignalReceiver) {
        let all = signals.streams.map { (name: $0.name, values: $0.counts.latest, memory: $0.memory.count) }
        let prefix = "assay_gateway_signals"
        each(all, "\(prefix)_accepted_total", "counter") { $0.values.accepted }
        each(all, "\(prefix)_repeated_total", "counter") { $0.values.repeated }
        each(all, "\(prefix)_refused_total", "code") { $0.values.refused }
        each(all, "\(prefix)_delayed_total", "code") { $0.values.delayed }
        each(all, "\(prefix)_effects_total", "effect") { $0.values.effects }
        each(all, "\(prefix)_poll_failures_total", "code") { $0.values.failedPolls }
        each(all, "\(prefix)_last_timestamp_seconds", "gauge") { UInt64(max(0, $0.values.last?.seconds ?? 0)) }
        each(all, "\(prefix)_remembered", "gauge") { UInt64($0.memory) }
        type("\(prefix)_revocations", "gauge")
        sample("\(prefix)_revocations", signals.entries)
        type("\(prefix)_log_current", "gauge")
        sample("\(prefix)_log_current", signals.writer.isFailing ? 0 : 1)
    }

    private typealias Stream = (name: String, values: SignalCounts.Values, memory: Int)

    private mutating func each(_ streams: [Stream], _ name: String, _ kind: String, _ value: (Stream) -> UInt64) {
        type(name, kind)
        for stream in streams { sample(name, value(stream), ["stream": stream.name]) }
    }

    /// A counter for each value of a label.
    private mutating func each(_ streams: [Stream], _ name: String, _ label: String, _ values: (Stream) -> [String: UInt64]) {
        type(name, "counter")
        for stream in streams {
            for (value, count) in values(stream).sorted(by: { $0.key < $1.key }) {
                sample(name, count, [label: value, "stream": stream.name])
            }
        }
    }
}
#endif
