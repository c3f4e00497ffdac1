import Foundation

/// A chart of response time over load, with a curve for each percentile.
struct LatencyChart: Chart {
    private let points: [LatencyPoint]
    private let low: Double
    private let high: Double

    private static let curves: [(name: String, style: String, value: @Sendable (LatencyPoint) -> Double)] = [
        ("p50", "a", { $0.response.p50 }), ("p90", "b", { $0.response.p90 }), ("p99", "c", { $0.response.p99 }),
        ("p99.9", "e", { $0.response.p999 }),
    ]
    private static let (left, top, width, height, right, bottom) = (70.0, 12.0, 700.0, 300.0, 90.0, 34.0)

    init(_ points: [LatencyPoint]) {
        let values = points.flatMap { point in Self.curves.map { max($0.value(point), 0.01) } }
        self.points = points
        low = (values.min() ?? 1) / 1.2
        high = (values.max() ?? 10) * 1.2
    }

    func svg(title: String) -> String {
        let words = points.map { point in
            let figures = Self.curves.map { "\($0.name) \(String(format: "%.1f", $0.value(point)))" }
            return "at \(percent(point.load)) \(figures.joined(separator: ", "))"
        }
        return """
            <svg viewBox="0 0 \(Int(Self.left + Self.width + Self.right)) \(Int(Self.top + Self.height + Self.bottom))" role="img" \
            aria-label="\(title.escaped), microseconds: \(words.joined(separator: "; ").escaped)">
            \(ticks)
            \(loads)
            \(Self.curves.map(drawn).joined(separator: "\n"))
            \(names)
            </svg>
            """
    }

    // Places

    private func x(_ point: LatencyPoint) -> Double {
        let loads = points.map(\.load), first = loads.min() ?? 0, span = (loads.max() ?? 1) - first
        return Self.left + (span > 0 ? (point.load - first) / span : 0) * Self.width
    }

    private func y(_ value: Double) -> Double {
        Self.top + Self.height * (1 - log(max(value, low) / low) / log(high / low))
    }

    private func figure(_ place: Double) -> String { String(format: "%.1f", place) }
    private func percent(_ load: Double) -> String { String(format: "%.0f %%", load * 100) }

    // Parts

    /// Lines at 1, 2 and 5 times each power of ten.
    private var ticks: String {
        (-2...7).flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }.filter { $0 >= low && $0 <= high }.map { value in
            let (place, end) = (figure(y(value)), Int(Self.left + Self.width))
            let text = "\(String(format: "%g", value)) µs"
            return """
                <line class="axis" x1="\(Int(Self.left))" x2="\(end)" y1="\(place)" y2="\(place)"/>\
                <text class="dim" x="\(Int(Self.left) - 8)" y="\(figure(y(value) + 4))" text-anchor="end">\(text)</text>
                """
        }.joined(separator: "\n")
    }

    private var loads: String {
        points.map { point in
            let base = Int(Self.top + Self.height + 22)
            return "<text class=\"dim\" x=\"\(figure(x(point)))\" y=\"\(base)\" text-anchor=\"middle\">\(percent(point.load))</text>"
        }.joined()
    }

    private func drawn(_ curve: (name: String, style: String, value: @Sendable (LatencyPoint) -> Double)) -> String {
        let places = points.map { "\(figure(x($0))),\(figure(y(curve.value($0))))" }
        let dots = points.map { point in
            let words = "\(curve.name) at \(percent(point.load)): \(String(format: "%.1f", curve.value(point))) µs"
            return """
                <circle class="\(curve.style)" cx="\(figure(x(point)))" cy="\(figure(y(curve.value(point))))" r="4">\
                <title>\(words.escaped)</title></circle>
                """
        }
        return "<polyline class=\"curve \(curve.style)\" points=\"\(places.joined(separator: " "))\"/>" + dots.joined()
    }

    /// The names of the curves beside their last points, moved apart if they would overlap.
    private var names: String {
        guard let last = points.last else { return "" }
        var free = Double.infinity
        return Self.curves.map { curve in
            let place = min(y(curve.value(last)) + 4, free)
            free = place - 15
            return "<text x=\"\(figure(x(last) + 12))\" y=\"\(figure(place))\">\(curve.name)</text>"
        }.joined()
    }
}
