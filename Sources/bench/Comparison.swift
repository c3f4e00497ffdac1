/// The changes since an earlier run, row by row, and the rows that only one of the two runs has. On one machine ratios are more reliable
/// than times, because its other work changes times.
struct Comparison {
    private let changes: [Change]
    private let rows: Pairing<Row>
    private let points: Pairing<LatencyPoint>
    private let unwanted: Set<String>
    private let now: Report.Document
    private let earlier: Report.Document

    /// The limit above which a loss is marked. The loss is that of the ratio; rows without a ratio use cycles, which other work on the
    /// machine changes less than times. The ratios of two runs of one program usually differ by less.
    private static let tolerance = 0.1

    /// - Parameter unwanted: the names of the rows that the options left out. Other missing rows cannot be measured here.
    init(of now: Report.Document, without unwanted: Set<String>, with earlier: Report.Document) {
        self.now = now
        self.unwanted = unwanted
        self.earlier = earlier
        rows = Pairing(before: earlier.rows, now: now.rows, by: \.name)
        points = Pairing(before: earlier.latency ?? [], now: now.latency ?? [], by: \.label)
        changes = rows.both.map { Change(before: $0.before, now: $0.now) }
    }

    var text: String {
        let nothing = rows.both.isEmpty && points.both.isEmpty ? "no row is in both\n" : ""
        return "\nsince \(earlier.date) on \(earlier.machine), \(earlier.openssl)\n" + caution + nothing + rowChanges
            + LatencyChanges(pairs: points.both).text + unpaired
    }

    /// Warns if one run is quick and the other whole: a whole run has more tokens and more rounds.
    private var caution: String {
        guard let wasQuick = earlier.quick else { return "that run's file does not say whether it was quick\n" }
        guard let isQuick = now.quick, isQuick != wasQuick else { return "" }
        return "caution: that run was \(wasQuick ? "quick" : "whole") and this one \(isQuick ? "quick" : "whole"), "
            + "and a quick run has fewer rounds and fewer tokens\n"
    }

    private var rowChanges: String {
        guard !changes.isEmpty else { return "" }
        var table = TextTable(["row", "ratio then", "now", "change", "ns then", "now", "change"])
        for change in changes { table.add(cells(change), note: change.loss > Self.tolerance ? "worse" : "") }
        let worse = changes.filter { $0.loss > Self.tolerance }.count
        let closing = worse == 0 ? "no row is worse by more than 10 %\n" : "\(worse) of \(changes.count) rows worse by more than 10 %\n"
        return table.text + closing
    }

    private func cells(_ change: Change) -> [String] {
        let (before, now) = (change.before, change.now)
        var cells = [now.name, "-", "-", "-"]
        if let ratio = change.ratio, let old = before.ratio, let new = now.ratio {
            cells = [now.name, old.ratioText, new.ratioText, ratio.changeText]
        }
        let times = [before.nanoseconds, now.nanoseconds].map(\.timeText)
        return cells + times + [change.time.changeText]
    }

    /// Rows without a counterpart. Rows that the options left out are only counted.
    private var unpaired: String {
        let then = rows.onlyBefore.map { ($0.name, $0.name) } + points.onlyBefore.map { ($0.name, $0.label) }
        let missing = then.filter { !unwanted.contains($0.0) }.map(\.1)
        let others = then.count - missing.count
        return names("only then", missing) + names("only now", rows.onlyNow.map(\.name) + points.onlyNow.map(\.label))
            + (others == 0 ? "" : "that run has \(others) more, which this one was not asked for\n")
    }

    private func names(_ title: String, _ names: [String]) -> String {
        names.isEmpty ? "" : "\(title): \(names.joined(separator: ", "))\n"
    }
}

/// A row that both runs have.
private struct Change {
    let before: Row
    let now: Row

    /// The relative change of the ratio; nil if one of the runs has none.
    var ratio: Double? {
        guard let old = before.ratio, let new = now.ratio, old != 0 else { return nil }
        return new / old - 1
    }

    /// The relative change of the time.
    var time: Double { now.nanoseconds / before.nanoseconds - 1 }

    /// The relative loss; a gain is negative.
    var loss: Double {
        guard let ratio else {
            guard let old = before.cycles, let new = now.cycles, old > 0 else { return time }
            return new / old - 1
        }
        return now.isCost ? ratio : -ratio
    }
}
