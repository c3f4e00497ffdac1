import Foundation

/// A chart of response time over load, with a curve for each percentile. Places across are percentages and places down are pixels, so that
/// the text keeps its size on a narrow screen.
struct LatencyChart: Chart {
    private let points: [LatencyPoint]
    /// The lines across, in microseconds: the first lies below every value, the last above.
    private let lines: ArraySlice<Double>

    private static let height = 300.0
    /// 1, 2 and 5 times each power of ten.
    private static let scale = (-2...8).flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }

    init(_ points: [LatencyPoint]) {
        let values = points.flatMap { point in Curve.all.map { $0.value(point) } }, least = values.min() ?? 1, most = values.max() ?? 10
        self.points = points
        // At least three, so that the page shows that the scale is logarithmic.
        let first = min(Self.scale.lastIndex { $0 <= least } ?? 0, Self.scale.count - 3)
        let last = max(Self.scale.firstIndex { $0 >= most } ?? Self.scale.count - 1, first + 2)
        lines = Self.scale[first...last]
    }

    func html(title: String) -> String {
        let words = points.map { point in
            "at \(point.load.percentText) " + Curve.all.map { "\($0.name) \($0.value(point).timeText)" }.joined(separator: ", ")
        }
        let legend = Curve.all.map { curve in
            "<li><svg width=\"28\" height=\"14\">\(curve.line("0", 7, "100%", 7))\(curve.mark("50%", 7))</svg>\(curve.words)</li>"
        }
        return """
            <ul class="legend">\(legend.joined())</ul>
            <div class="plot"><svg height="\(Int(Self.height) + 44)" role="img" \
            aria-label="\(title.escaped), microseconds: \(words.joined(separator: "; ").escaped)">
            \(ticks)
            \(loads)
            \(Curve.all.map(drawn).joined(separator: "\n"))
            </svg></div>
            """
    }

    // Places

    private func x(_ point: LatencyPoint) -> String {
        let loads = points.map(\.load), first = loads.min() ?? 0, span = (loads.max() ?? 1) - first
        return String(format: "%.2f%%", (span > 0 ? (point.load - first) / span : 0) * 100)
    }

    private func y(_ value: Double) -> Double {
        let low = lines[lines.startIndex], high = lines[lines.endIndex - 1]
        return 8 + Self.height * (1 - log(max(value, low) / low) / log(high / low))
    }

    // Parts

    private var ticks: String {
        lines.map { value in
            let place = y(value), text = value.grouped(value < 1 ? 2 : 0)
            return """
                <line class="axis" x1="0" x2="100%" y1="\(place.grouped(1))" y2="\(place.grouped(1))"/>\
                <text x="-10" y="\((place + 4).grouped(1))" text-anchor="end">\(text) µs</text>
                """
        }.joined(separator: "\n")
    }

    private var loads: String {
        let numbers = points.map { point in
            "<text x=\"\(x(point))\" y=\"\(Int(Self.height) + 24)\" text-anchor=\"middle\">\((point.load * 100).grouped())</text>"
        }
        return numbers.joined()
            + "<text x=\"50%\" y=\"\(Int(Self.height) + 42)\" text-anchor=\"middle\">arrivals, % of one core’s capacity</text>"
    }

    private func drawn(_ curve: Curve) -> String {
        let lines = zip(points, points.dropFirst()).map { from, to in
            curve.line(x(from), y(curve.value(from)), x(to), y(curve.value(to)))
        }
        let marks = points.map { point in
            let words = "\(curve.name) at \(point.load.percentText): \(curve.value(point).timeText) µs"
            return curve.mark(x(point), y(curve.value(point)), title: words)
        }
        return lines.joined() + marks.joined()
    }
}

/// A percentile with its colour, dashes and mark: each alone tells it from the others.
private struct Curve {
    let name: String
    let words: String
    let style: String
    /// A path around the origin.
    let shape: String
    let value: @Sendable (LatencyPoint) -> Double

    static let all = [
        Curve(name: "p50", words: "median", style: "p50", shape: "M-4,-4H4V4H-4Z") { $0.response.p50 },
        Curve(name: "p90", words: "90th percentile", style: "p90", shape: "M0,-5.5L5.5,0L0,5.5L-5.5,0Z") { $0.response.p90 },
        Curve(name: "p99", words: "99th percentile", style: "p99", shape: "M0,-5L5,4H-5Z") { $0.response.p99 },
        Curve(name: "p99.9", words: "99.9th percentile", style: "p999", shape: "M0,5L5,-4H-5Z") { $0.response.p999 },
    ]

    func line(_ x1: String, _ y1: Double, _ x2: String, _ y2: Double) -> String {
        "<line class=\"curve \(style)\" x1=\"\(x1)\" y1=\"\(y1.grouped(1))\" x2=\"\(x2)\" y2=\"\(y2.grouped(1))\"/>"
    }

    func mark(_ x: String, _ y: Double, title: String? = nil) -> String {
        let title = title.map { "<title>\($0.escaped)</title>" } ?? ""
        return "<svg class=\"mark \(style)\" x=\"\(x)\" y=\"\(y.grouped(1))\"><path d=\"\(shape)\"/>\(title)</svg>"
    }
}
