import Foundation

/// The results as one self-contained HTML page with charts, in the reader's light or dark colour scheme.
struct Page {
    let document: Report.Document

    init(_ document: Report.Document) { self.document = document }

    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Assay, \(document.date.escaped)</title>
        <style>\(PageStyle.text)</style>
        </head>
        <body>
        <main>
        <h1>Token verification, measured</h1>
        \(facts)
        \(charts.joined(separator: "\n"))
        \(document.rowTable.html("All rows, times in ns"))
        \(document.latencyTable.html("Latency in µs"))
        \(document.counts.map { $0.table.html($0.title) } ?? "")
        </main>
        </body>
        </html>

        """
    }

    private var facts: String {
        let cores = document.cores.map { ", \($0) cores" } ?? ""
        let facts = [
            ("Machine", document.machine + cores), ("Date", document.date), ("OpenSSL", document.openssl), ("Engine", document.engineText),
        ]
        return "<dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1.escaped)</dd>" }.joined())</dl>"
    }

    // Charts. Each row is in at most one chart, because their scales differ.

    private var charts: [String] {
        [
            section(
                "Whole verifications beside OpenSSL alone",
                "OpenSSL's time for the bare signature operation divided by ours for the whole token. Above 1 the whole is faster.",
                ratios(rows.filter { $0.opensslOpsPerSecond != nil }, one: "as long as OpenSSL alone")),
            section(
                "Scaling over threads", "Tokens per second of all threads, each on its own core, divided by those of one thread.",
                ratios(rows.filter(\.isOfThreads), one: "one thread")),
            section(
                "Without cryptography", "Nanoseconds: shorter is better.",
                BarChart(
                    rows.filter { $0.ratio == nil }, unit: "ns", value: \.nanoseconds, spread: \.nanosecondsSpread, figure: \.timeText)),
        ].compactMap { $0 } + latencyCharts
    }

    private var rows: [Row] { document.rows }

    /// - Parameter one: the words for the ratio 1.
    private func ratios(_ rows: [Row], one: String) -> BarChart? {
        BarChart(
            rows, unit: "×", reference: .init(value: 1, words: one), value: \.ratio, spread: \.ratioSpread, figure: \.ratioText)
    }

    private var latencyCharts: [String] {
        let points = document.latency ?? []
        return LatencyRows.names.compactMap { name in
            let curve = points.filter { $0.name == name }
            guard let first = curve.first else { return nil }
            let explanation = "Poisson arrivals at a share of the capacity of one core, \(first.capacity.grouped()) tokens per second. "
            return section(
                "Response time under load, \(name.dropLast(".latency".count))",
                explanation + "Microseconds from the intended arrival; the scale is logarithmic.", LatencyChart(curve))
        }
    }

    private func section(_ title: String, _ explanation: String, _ chart: (some Chart)?) -> String? {
        guard let chart else { return nil }
        return "<section><h2>\(title.escaped)</h2><p>\(explanation.escaped)</p>\(chart.html(title: title))</section>"
    }
}

/// A chart with a text alternative.
protocol Chart {
    func html(title: String) -> String
}

extension Row {
    var isOfThreads: Bool { name.contains(".threads") }
}

extension String {
    /// The text escaped for HTML, in content or attributes.
    var escaped: String {
        let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        return map { names[$0] ?? String($0) }.joined()
    }
}
