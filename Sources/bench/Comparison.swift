import Foundation

/// What changed since an earlier run, row by row, and what only one of the two has. Of two runs on one machine ratios say more than times,
/// which its other work moves.
struct Comparison {
    private let changes: [Change]
    private let rows: Pairing<Row>
    private let points: Pairing<LatencyPoint>
    private let unwanted: Set<String>
    private let now: Report.Document
    private let earlier: Report.Document

    /// Beyond this a row is marked, by its ratio; where it has none by its cycles, which a shared machine's hours change less than times.
    /// Ratios of two runs of one program differ by less, on most days.
    private static let tolerance = 0.1

    /// - Parameter unwanted: rows that the run now was not asked for, by name; the others it has, or this machine cannot have.
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

    /// What to know before the changes are believed: a quick run has fewer tokens too, so it is not the same that was measured.
    private var caution: String {
        guard let wasQuick = earlier.quick else { return "that run's file does not say whether it was quick\n" }
        guard let isQuick = now.quick, isQuick != wasQuick else { return "" }
        return "caution: that run was \(wasQuick ? "quick" : "whole") and this one \(isQuick ? "quick" : "whole"), "
            + "and a quick run has fewer rounds and fewer tokens\n"
    }

    private var rowChanges: String {
        guard !changes.isEmpty else { return "" }
        var text = "row                   ratio then      now   change    ns then       now   change\n"
        for change in changes { text += line(change) }
        let worse = changes.filter { $0.loss > Self.tolerance }.count
        return text + (worse == 0 ? "no row is worse by more than 10 %\n" : "\(worse) of \(changes.count) rows worse by more than 10 %\n")
    }

    private func line(_ change: Change) -> String {
        let (before, now) = (change.before, change.now)
        var text = now.name.padding(toLength: 21, withPad: " ", startingAt: 0)
        if let ratio = change.ratio, let old = before.ratio, let new = now.ratio {
            text += String(format: "%11.3f %8.3f %+7.1f%%", old, new, ratio * 100)
        } else {
            text += "          -        -        -"
        }
        text += String(format: "%11.0f %9.0f %+7.1f%%", before.nanoseconds, now.nanoseconds, change.time * 100)
        return text + (change.loss > Self.tolerance ? "  worse\n" : "\n")
    }

    /// What has nothing to be held against. Of what was left out on purpose the number is enough.
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

/// A row then and now.
private struct Change {
    let before: Row
    let now: Row

    /// By how much of itself the ratio rose; nil where there is none on either side.
    var ratio: Double? {
        guard let old = before.ratio, let new = now.ratio, old != 0 else { return nil }
        return new / old - 1
    }

    /// By how much of itself the time rose.
    var time: Double { now.nanoseconds / before.nanoseconds - 1 }

    /// What of it was lost, negative for a gain.
    var loss: Double {
        guard let ratio else {
            guard let old = before.cycles, let new = now.cycles, old > 0 else { return time }
            return new / old - 1
        }
        return now.isCost ? ratio : -ratio
    }
}
