/// Lines of Prometheus text format 0.0.4 for values that are kept elsewhere.
package struct SampleText {
    package private(set) var text = ""

    package init() {}

    package mutating func type(_ name: String, _ kind: String) { text += "# TYPE \(name) \(kind)\n" }

    package mutating func sample(_ name: String, _ value: some CustomStringConvertible, _ labels: KeyValuePairs<String, String> = [:]) {
        let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }

    /// The core counts by itself, without a lock.
    package mutating func append(_ counts: [DecisionCounters.Count]) {
        let name = "assay_gateway_decisions_total"
        type(name, "counter")
        for count in counts {
            sample(name, count.count, ["code": count.code ?? "", "outcome": count.outcome.rawValue, "policy": count.policy ?? ""])
        }
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") }) else {
            return value
        }
        return value.reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }
}
