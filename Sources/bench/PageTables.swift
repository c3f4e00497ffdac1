import Foundation

/// Every figure of the page as text.
struct PageTables {
    let document: Report.Document

    init(_ document: Report.Document) { self.document = document }

    var text: String { rows + latency }

    private var rows: String {
        guard !document.rows.isEmpty else { return "" }
        let lines = document.rows.map { row in
            let raw = row.opensslOpsPerSecond.map { $0.grouped } ?? "–", ratio = row.ratio.map { String(format: "%.3f", $0) } ?? "–"
            let quiet = row.quietNanoseconds.map { String(format: "%.0f", $0) } ?? "–", cycles = row.cycles?.grouped ?? "–"
            return [row.name, row.opsPerSecond.grouped, String(format: "%.0f", row.nanoseconds), quiet, cycles, raw, ratio]
        }
        return table("All rows", ["row", "a second", "ns", "quiet ns", "cycles", "OpenSSL a second", "ratio"], lines)
    }

    private var latency: String {
        guard let points = document.latency else { return "" }
        let lines = points.flatMap { point in
            [("response", point.response), ("service", point.service)].map { name, times in
                [point.name, String(format: "%.0f %%", point.load * 100), name]
                    + [times.p50, times.p90, times.p99, times.p999, times.max].map { String(format: "%.1f", $0) }
            }
        }
        return table("Latency in microseconds", ["row", "load", "time", "p50", "p90", "p99", "p99.9", "max"], lines)
    }

    private func table(_ title: String, _ head: [String], _ lines: [[String]]) -> String {
        let body = lines.map { line in
            "<tr><th scope=\"row\">\(line[0].escaped)</th>\(line.dropFirst().map { "<td>\($0.escaped)</td>" }.joined())</tr>"
        }
        let columns = head.map { "<th scope=\"col\">\($0.escaped)</th>" }.joined()
        return """
            <section><h2>\(title)</h2><div class="scroll"><table><thead><tr>\(columns)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody></table></div></section>

            """
    }
}

extension Double {
    /// Without decimals, in groups of three digits.
    fileprivate var grouped: String {
        let digits = String(format: "%.0f", self)
        return String(
            digits.reversed().enumerated().flatMap { $0.offset > 0 && $0.offset % 3 == 0 ? [",", $0.element] : [$0.element] }.reversed())
    }
}
