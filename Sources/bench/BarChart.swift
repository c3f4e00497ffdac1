import Foundation

/// Horizontal bars, each with its name on the left and its figure on the right. The longest name and figure set the column widths.
struct BarChart: Chart {
    private let bars: [Bar]
    private let reference: Double?

    private struct Bar {
        let name: String
        let value: Double
        let figure: String
        let top: Double
    }

    private static let (width, line, gap) = (640.0, 22.0, 10.0)
    /// The width of a 13 px character in the widest common font.
    private static let character = 8.0

    /// Nil if there is no bar to draw. A gap separates the kinds.
    init?(_ rows: [Row], reference: Double?, value: (Row) -> Double?, figure: (Double) -> String) {
        var bars: [Bar] = [], top = 8.0
        for row in rows {
            guard let value = value(row), value.isFinite, value >= 0 else { continue }
            if let last = bars.last, last.name.kind != row.name.kind { top += Self.gap }
            bars.append(Bar(name: row.name, value: value, figure: figure(value), top: top))
            top += Self.line
        }
        guard !bars.isEmpty else { return nil }
        self.bars = bars
        self.reference = reference
    }

    func svg(title: String) -> String {
        let height = (bars.last?.top ?? 0) + Self.line + 24
        let words = bars.map { "\($0.name) \($0.figure)" }.joined(separator: ", ")
        return """
            <svg viewBox="0 0 \(Int(left + Self.width + right)) \(Int(height))" role="img" \
            aria-label="\(title.escaped): \(words.escaped)">
            \(bars.map(drawn).joined(separator: "\n"))
            \(mark(height))
            </svg>
            """
    }

    private var left: Double { Self.room(bars.map(\.name)) }
    private var right: Double { Self.room(bars.map(\.figure)) }

    private static func room(_ texts: [String]) -> Double { 16 + character * Double(texts.map(\.count).max() ?? 0) }

    private var scale: Double { Self.width / max(bars.map(\.value).max() ?? 1, reference ?? 0, .leastNormalMagnitude) }

    private func drawn(_ bar: Bar) -> String {
        let length = max(1, bar.value * scale)
        let (base, end) = (String(format: "%.1f", bar.top + 15), String(format: "%.1f", left + length + 6))
        return """
            <text x="\(Int(left) - 8)" y="\(base)" text-anchor="end">\(bar.name.escaped)</text>\
            <rect class="\(bar.name.style)" x="\(Int(left))" y="\(String(format: "%.1f", bar.top + 2))" \
            width="\(String(format: "%.1f", length))" height="16" rx="2"/>\
            <text x="\(end)" y="\(base)">\(bar.figure.escaped)</text>
            """
    }

    /// The vertical line at the reference value.
    private func mark(_ height: Double) -> String {
        guard let reference else { return "" }
        let place = String(format: "%.1f", left + reference * scale)
        return """
            <line class="mark" x1="\(place)" x2="\(place)" y1="2" y2="\(Int(height) - 20)"/>\
            <text class="dim" x="\(place)" y="\(Int(height) - 5)" text-anchor="middle">\(String(format: "%g", reference))</text>
            """
    }
}

extension String {
    fileprivate var kind: Substring { prefix { $0 != "." } }

    /// The colour of each way to verify.
    fileprivate var style: String {
        if hasSuffix(".batch") || hasSuffix(".batcher") { return "b" }
        if hasSuffix(".tables") { return "c" }
        if hasSuffix(".openssl") { return "d" }
        return hasSuffix(".2k") ? "e" : "a"
    }
}
