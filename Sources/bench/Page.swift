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
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1>Token verification, measured</h1>
        \(facts)
        \(charts.joined(separator: "\n"))
        \(document.rowTable.html("All rows, times in ns"))
        \(document.latencyTable.html("Latency in µs"))
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
                "OpenSSL's time for the bare signature operation divided by ours for the whole token. Above 1 the whole verification is faster.",
                BarChart(rows.filter { $0.opensslOpsPerSecond != nil }, reference: 1, value: \.ratio) { String(format: "%.2f", $0) }),
            section(
                "Scaling over threads", "Tokens per second of all threads, each on its own core, divided by those of one thread.",
                BarChart(rows.filter(\.isOfThreads), reference: 1, value: \.ratio) { String(format: "%.2f", $0) }),
            section(
                "Without cryptography", "Nanoseconds: shorter is better.",
                BarChart(rows.filter { $0.ratio == nil }, reference: nil, value: \.nanoseconds) { String(format: "%.0f ns", $0) }),
        ].compactMap { $0 } + latencyCharts
    }

    private var rows: [Row] { document.rows }

    private var latencyCharts: [String] {
        let points = document.latency ?? []
        return LatencyRows.names.compactMap { name in
            let curve = points.filter { $0.name == name }
            guard let first = curve.first else { return nil }
            let explanation = "Poisson arrivals at a share of the capacity of one core, \(Int(first.capacity)) tokens per second. "
            return section(
                "Response time under load, \(name.dropLast(".latency".count))",
                explanation + "Microseconds from the intended arrival; the scale is logarithmic.", LatencyChart(curve))
        }
    }

    private func section(_ title: String, _ explanation: String, _ chart: (some Chart)?) -> String? {
        guard let chart else { return nil }
        return "<section><h2>\(title.escaped)</h2><p>\(explanation.escaped)</p>\(chart.svg(title: title))</section>"
    }

    private static let style = """
        :root{color-scheme:light dark;--page:#fbfbfa;--ink:#1d2329;--dim:#5c6670;--line:#dcdfe3;--a:#2767ad;--b:#14806a;--c:#a7641a;\
        --d:#7b8591;--e:#7d50a8}
        @media(prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e6e9ec;--dim:#9aa4ae;--line:#343b43;--a:#6aa9f0;--b:#4cc3a5;\
        --c:#e0a458;--d:#8f99a5;--e:#bb93e6}}
        body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
        main{max-width:56rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
        h1{font-size:1.7rem;margin:0 0 1rem}h2{font-size:1.15rem;margin:2.5rem 0 .25rem}
        p{margin:0 0 .75rem;color:var(--dim);max-width:44rem}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.25rem;margin:0}dt{color:var(--dim)}dd{margin:0}
        svg{width:100%;height:auto;display:block}svg text{fill:var(--ink);font:13px system-ui,sans-serif}svg .dim{fill:var(--dim)}
        .axis{stroke:var(--line);fill:none}.mark{stroke:var(--dim);stroke-dasharray:4 3}
        .a{fill:var(--a)}.b{fill:var(--b)}.c{fill:var(--c)}.d{fill:var(--d)}.e{fill:var(--e)}
        .curve{fill:none;stroke-width:2}.curve.a{stroke:var(--a)}.curve.b{stroke:var(--b)}.curve.c{stroke:var(--c)}.curve.e{stroke:var(--e)}
        .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.9rem}
        th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
        th:first-child,td:first-child{text-align:left}thead th{color:var(--dim);font-weight:600}tbody th{font-weight:400}
        """
}

/// An SVG drawing with a text alternative.
protocol Chart {
    func svg(title: String) -> String
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
