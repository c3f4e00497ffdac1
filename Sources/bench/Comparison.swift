import Foundation

/// What changed since an earlier run, row by row. Of two runs on one machine ratios say more than times, which its other work moves.
struct Comparison {
    private let changes: [Change]
    private let earlier: Report.Document

    /// Beyond this a row is marked, by its ratio, or where it has none by its time.
    private static let tolerance = 0.05

    init(of now: Report.Document, with earlier: Report.Document) {
        self.earlier = earlier
        let before = Dictionary(earlier.rows.map { ($0.name, $0) }) { first, _ in first }
        changes = now.rows.compactMap { row in before[row.name].map { Change(before: $0, now: row) } }
    }

    var text: String {
        var text = "\nsince \(earlier.date) on \(earlier.machine), \(earlier.openssl)\n"
        guard !changes.isEmpty else { return text + "no row is in both\n" }
        text += "row               ratio then      now   change    ns then       now   change\n"
        for change in changes { text += line(change) }
        let worse = changes.filter { $0.loss > Self.tolerance }.count
        return text + (worse == 0 ? "no row is worse by more than 5 %\n" : "\(worse) of \(changes.count) rows worse by more than 5 %\n")
    }

    private func line(_ change: Change) -> String {
        let (before, now) = (change.before, change.now)
        var text = now.name.padding(toLength: 17, withPad: " ", startingAt: 0)
        if let ratio = change.ratio, let old = before.ratio, let new = now.ratio {
            text += String(format: "%11.3f %8.3f %+7.1f%%", old, new, ratio * 100)
        } else {
            text += "          -        -        -"
        }
        text += String(format: "%11.0f %9.0f %+7.1f%%", before.nanoseconds, now.nanoseconds, change.time * 100)
        return text + (change.loss > Self.tolerance ? "  worse\n" : "\n")
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
        guard let ratio else { return time }
        return now.isCost ? ratio : -ratio
    }
}
