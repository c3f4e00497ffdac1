internal import Locks
package import Metrics

/// Metrics in Prometheus text format 0.0.4: the process keeps them, `/metrics` shows them.
package final class TextMetrics: MetricsFactory, Sendable {
    private let series = Locked<[SeriesIdentity: Series]>([:])
    private let bounds: [Double]

    /// - Parameter bounds: the upper bounds of a histogram's buckets, ascending; for durations in seconds.
    package init(bounds: [Double] = TextMetrics.standardBounds) { self.bounds = bounds }

    /// Seconds: from a store read to the longest wait for a gateway.
    package static let standardBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { made(.counter, label, dimensions) }

    package func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        made(.counter, label, dimensions)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { made(.gauge, label, dimensions) }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        made(aggregate ? .histogram : .gauge, label, dimensions)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { made(.histogram, label, dimensions) }

    package func destroyCounter(_ handler: any CounterHandler) { destroy(handler as? Series) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler as? Series) }
    package func destroyMeter(_ handler: any MeterHandler) { destroy(handler as? Series) }
    package func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler as? Series) }
    package func destroyTimer(_ handler: any TimerHandler) { destroy(handler as? Series) }

    /// Every series, grouped by name under one TYPE line.
    package var text: String {
        let all = series.withLock { Array($0.values) }.sorted {
            ($0.identity.name, $0.identity.labels) < ($1.identity.name, $1.identity.labels)
        }
        var text = ""
        var name: String?
        for one in all {
            if one.identity.name != name { text += "# TYPE \(one.identity.name) \(one.kind.rawValue)\n" }
            name = one.identity.name
            text += one.lines
        }
        return text
    }

    /// Removes the series that have the label `name` with a value other than `values`: a gauge of something that is gone would show its last
    /// value for ever.
    package func keep(label name: String, values: some Collection<String>) {
        let prefix = SeriesIdentity.name(name) + "=\""
        let kept = Set(values.map { SeriesIdentity.label(name, $0) })
        series.withLock { all in
            all = all.filter { one in !one.key.pairs.contains { $0.hasPrefix(prefix) && !kept.contains($0) } }
        }
    }

    /// One series per name and labels. A name keeps its first kind.
    private func made(_ kind: Series.Kind, _ label: String, _ dimensions: [(String, String)]) -> Series {
        let identity = SeriesIdentity(label, dimensions)
        return series.withLock { all in
            if let known = all[identity] { return known }
            let kind = all.values.first { $0.identity.name == identity.name }?.kind ?? kind
            let new = Series(kind, identity, bounds: bounds)
            all[identity] = new
            return new
        }
    }

    private func destroy(_ one: Series?) {
        guard let one else { return }
        series.withLock { $0[one.identity] = nil }
    }
}

/// The identity of a series: names and labels in the alphabet of the format, with escaped values.
struct SeriesIdentity: Hashable, Sendable {
    let name: String
    /// Each as `a="b"`, sorted by name.
    let pairs: [String]

    init(_ label: String, _ dimensions: [(String, String)]) {
        name = Self.name(label)
        pairs = dimensions.sorted { $0.0 < $1.0 }.map { Self.label($0.0, $0.1) }
    }

    /// `a="b",c="d"`.
    var labels: String { pairs.joined(separator: ",") }

    static func label(_ name: String, _ value: String) -> String { "\(Self.name(name))=\"\(escaped(value))\"" }

    static func name(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        return name.first?.isNumber == true ? "_" + name : name
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// The values of one name and one set of labels.
final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
    enum Kind: String { case counter, gauge, histogram }

    let kind: Kind
    let identity: SeriesIdentity
    private let bounds: [Double]
    private let state: Locked<State>

    private struct State {
        /// The counter or the gauge; for a histogram the sum.
        var value = 0.0
        var count = 0
        /// The counts of each bucket, not cumulative.
        var buckets: [Int]
    }

    init(_ kind: Kind, _ identity: SeriesIdentity, bounds: [Double]) {
        self.kind = kind
        self.identity = identity
        self.bounds = bounds
        state = Locked(State(buckets: Array(repeating: 0, count: bounds.count)))
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { state.withLock { $0.value += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func reset() { state.withLock { $0 = State(buckets: Array(repeating: 0, count: bounds.count)) } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        guard kind == .histogram else { return set(value) }
        state.withLock {
            $0.value += value
            $0.count += 1
            if let bucket = bounds.firstIndex(where: { value <= $0 }) { $0.buckets[bucket] += 1 }
        }
    }

    var lines: String {
        let state = state.withLock { $0 }
        guard kind == .histogram else { return line("", "", Self.number(state.value)) }
        var text = ""
        var below = 0
        for (bound, count) in zip(bounds, state.buckets) {
            below += count
            text += line("_bucket", "le=\"\(Self.number(bound))\"", String(below))
        }
        text += line("_bucket", "le=\"+Inf\"", String(state.count))
        return text + line("_sum", "", Self.number(state.value)) + line("_count", "", String(state.count))
    }

    private func line(_ suffix: String, _ label: String, _ value: String) -> String {
        let labels = [identity.labels, label].filter { !$0.isEmpty }.joined(separator: ",")
        return "\(identity.name)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }

    /// A whole number has no fraction: counts stay readable, and both forms mean the same.
    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
