#if Gateway
/// Lines of Prometheus text format 0.0.4 for values that are kept elsewhere. Label values are names of the configuration, codes and numbers,
/// none of which needs an escape.
struct SampleText {
    private(set) var text = ""

    mutating func type(_ name: String, _ kind: String) { text += "# TYPE \(name) \(kind)\n" }

    mutating func sample(_ name: String, _ value: some CustomStringConvertible, _ labels: KeyValuePairs<String, String> = [:]) {
        let list = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
        text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }

    mutating func histogram(_ name: String, _ label: String, _ value: String, _ latencies: LatencyCounts) {
        for (bound, count) in latencies.cumulative { sample("\(name)_bucket", count, [label: value, "le": "\(bound)"]) }
        sample("\(name)_bucket", latencies.count, [label: value, "le": "+Inf"])
        sample("\(name)_sum", Double(latencies.nanoseconds) / 1e9, [label: value])
        sample("\(name)_count", latencies.count, [label: value])
    }
}
#endif
