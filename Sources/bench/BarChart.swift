/// Horizontal bars with names, figures, the spread over the rounds, an axis and a legend. The parts are boxes of HTML and not a drawing, so
/// that the text keeps its size on a narrow screen: there a bar is below its name.
struct BarChart: Chart {
    private let bars: [Bar]
    private let axis: Axis
    private let unit: String
    private let reference: Reference?

    /// A value that is marked on the axis.
    struct Reference {
        let value: Double
        let words: String
    }

    private struct Bar {
        let name: String
        let value: Double
        let spread: Spread?
        let figure: String
        /// Whether a bar of another kind is above.
        var isFirst = false
    }

    /// Nil if there is no bar to draw.
    init?(
        _ rows: [Row], unit: String, reference: Reference? = nil, value: (Row) -> Double?, spread: (Row) -> Spread?,
        figure: (Double) -> String
    ) {
        var bars: [Bar] = []
        for row in rows {
            guard let value = value(row), value.isFinite, value >= 0 else { continue }
            let spread = spread(row).flatMap { $0.low >= 0 && $0.high.isFinite ? $0 : nil }
            var bar = Bar(name: row.name, value: value, spread: spread, figure: figure(value))
            bar.isFirst = bars.last.map { $0.name.kind != row.name.kind } ?? false
            bars.append(bar)
        }
        let ends = bars.map { max($0.value, $0.spread?.high ?? 0) } + [reference?.value ?? 0]
        guard !bars.isEmpty, let greatest = ends.max() else { return nil }
        self.bars = bars
        self.unit = unit
        self.reference = reference
        axis = Axis(greatest: max(greatest, .leastNormalMagnitude))
    }

    func html(title: String) -> String {
        let words = bars.map { "\($0.name) \($0.figure)" }.joined(separator: ", ")
        let mark = reference.map { ";--mark:\(axis.place($0.value))" } ?? ""
        return """
            \(legend)
            <div class="bars\(reference == nil ? "" : " marked")" style="--step:\(axis.place(axis.step))\(mark)" role="img" \
            aria-label="\(title.escaped): \(words.escaped)">
            \(bars.map(drawn).joined(separator: "\n"))
            <span></span><span class="track ticks">\(ticks)</span><span class="unit">\(unit.escaped)</span>
            </div>
            """
    }

    private var legend: String {
        let used = Set(bars.map { RowStyle($0.name) })
        var entries = RowStyle.allCases.filter(used.contains).map { "<li><i class=\"bar \($0.rawValue)\"></i>\($0.words)</li>" }
        if bars.contains(where: { $0.spread != nil }) {
            entries.append("<li><i class=\"spread\"></i>10th to 90th percentile of the rounds</li>")
        }
        if let reference { entries.append("<li><i class=\"mark\"></i>\(reference.words.escaped)</li>") }
        return "<ul class=\"legend\">\(entries.joined())</ul>"
    }

    private func drawn(_ bar: Bar) -> String {
        let first = bar.isFirst ? " first" : ""
        return """
            <span class="name\(first)">\(bar.name.escaped)</span>\
            <span class="track\(first)"><i class="bar \(RowStyle(bar.name).rawValue)" style="width:\(axis.place(bar.value))"></i>\
            \(bar.spread.map(drawn) ?? "")</span><span class="figure\(first)">\(bar.figure.escaped)</span>
            """
    }

    private func drawn(_ spread: Spread) -> String {
        "<i class=\"spread\" style=\"left:\(axis.place(spread.low));width:\(axis.place(spread.high - spread.low))\"></i>"
    }

    private var ticks: String {
        axis.ticks.map { "<span style=\"left:\(axis.place($0))\">\(axis.label($0))</span>" }.joined()
    }
}

extension String {
    fileprivate var kind: Substring { prefix { $0 != "." } }
}
