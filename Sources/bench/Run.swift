import Foundation

/// Runs the measurements one after another, with progress on a terminal.
struct Run {
    struct Results {
        var rows: [Row] = []
        var latency: [LatencyPoint] = []
        /// Rows that cannot be measured on this machine or with its libcrypto.
        var unmeasured: [String] = []
    }

    private let effort: Effort
    private let rows: [Measurement]
    private let latency: [String]

    init(_ effort: Effort, rows: [Measurement], latency: [String]) {
        self.effort = effort
        self.rows = rows
        self.latency = latency
    }

    func measure() -> Results {
        let stock = TokenStock(effort)
        var results = Results()
        for (ordinal, measurement) in rows.enumerated() {
            showProgress(ordinal + 1, measurement.name)
            if let row = measurement.row(stock, effort) { results.rows.append(row) } else { results.unmeasured.append(measurement.name) }
        }
        for (ordinal, name) in latency.enumerated() {
            showProgress(rows.count + ordinal + 1, name)
            let points = LatencyRows(effort: effort).points(name, stock)
            results.latency += points
            if points.isEmpty { results.unmeasured.append(name) }
        }
        showProgress(nil)
        return results
    }

    /// Shows the row that is being measured, if standard error is a terminal.
    private func showProgress(_ ordinal: Int?, _ name: String = "") {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        let text = ordinal.map { "measuring \($0)/\(rows.count + latency.count) \(name)" } ?? ""
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8))
    }
}
