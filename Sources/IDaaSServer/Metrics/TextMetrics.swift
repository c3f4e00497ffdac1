#if IDaaS
public import Metrics
internal import JWTCore

/// Metrics as text that Prometheus reads (text exposition format 0.0.4): the process keeps them, `/metrics` shows them.
public final class TextMetrics: MetricsFactory, Sendable {
    private let series = Locked<[SeriesIdentity: Series]>([:])

    public init() {}

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { made(.counter, label, dimensions) }

    public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        made(.counter, label, dimensions)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { made(.gauge, label, dimensions) }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        made(aggregate ? .histogram : .gauge, label, dimensions)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { made(.histogram, label, dimensions) }

    public func destroyCounter(_ handler: any CounterHandler) { destroy(handler as? Series) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler as? Series) }
    public func destroyMeter(_ handler: any MeterHandler) { destroy(handler as? Series) }
    public func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler as? Series) }
    public func destroyTimer(_ handler: any TimerHandler) { destroy(handler as? Series) }

    /// Every series, those of one name together under one TYPE line.
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

    /// One series per name and labels, however often it is asked for. A name keeps the kind it had first.
    private func made(_ kind: Series.Kind, _ label: String, _ dimensions: [(String, String)]) -> Series {
        let identity = SeriesIdentity(label, dimensions)
        return series.withLock { all in
            if let known = all[identity] { return known }
            let kind = all.values.first { $0.identity.name == identity.name }?.kind ?? kind
            let new = Series(kind, identity)
            all[identity] = new
            return new
        }
    }

    private func destroy(_ one: Series?) {
        guard let one else { return }
        series.withLock { $0[one.identity] = nil }
    }
}

/// What a series is known by: names and labels in the alphabet of the format, values escaped.
struct SeriesIdentity: Hashable, Sendable {
    let name: String
    /// `a="b",c="d"`, in the order of the names.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)]) {
        name = Self.name(label)
        labels = dimensions.sorted { $0.0 < $1.0 }.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    }

    private static func name(_ text: String) -> String {
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
    private let state = Locked(State())

    private struct State {
        /// The counter or the gauge; of a histogram the sum.
        var value = 0.0
        var count = 0
        /// Those at or below each bound, not cumulative.
        var buckets = [Int](repeating: 0, count: Series.bounds.count)
    }

    /// Seconds: from a store read to the longest wait for a gateway.
    private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    init(_ kind: Kind, _ identity: SeriesIdentity) {
        self.kind = kind
        self.identity = identity
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { state.withLock { $0.value += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func reset() { state.withLock { $0 = State() } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        guard kind == .histogram else { return set(value) }
        state.withLock {
            $0.value += value
            $0.count += 1
            if let bucket = Self.bounds.firstIndex(where: { value <= $0 }) { $0.buckets[bucket] += 1 }
        }
    }

    var lines: String {
        let state = state.withLock { $0 }
        guard kind == .histogram else { return line("", "", Self.number(state.value)) }
        var text = ""
        var below = 0
        for (bound, count) in zip(Self.bounds, state.buckets) {
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

    /// A whole number without a fraction: counts stay readable, and both are the same to a reader.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
#endif
