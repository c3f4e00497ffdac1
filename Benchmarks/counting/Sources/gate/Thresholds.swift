import Counting
import Foundation

/// The limits of each operation, in files of ordo-one's format, which its plugin also reads.
struct Thresholds {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Thresholds")
    /// The tolerance for instructions, because patch releases of the compiler differ. All other counts are exact.
    private let tolerance = 0.05
    /// The least share of the expected instructions. Below it, different code ran: libcrypto instead of a kernel.
    private let least = 0.75

    private func file(_ name: String) -> URL { folder.appendingPathComponent("Counts.\(name).p90.json") }

    private func limits(_ name: String) -> [String: Int] {
        guard let data = try? Data(contentsOf: file(name)) else { return [:] }
        return (try? JSONDecoder().decode([String: Int].self, from: data)) ?? [:]
    }

    /// The counts that exceed their thresholds, counts without a threshold, and thresholds without a count.
    func faults(of counts: Counts, for name: String) -> [String] {
        let limits = limits(name), counted = Dictionary(uniqueKeysWithValues: counts.named)
        let metrics = Set(limits.keys.filter(isDue)).union(counted.keys)
        return metrics.sorted().compactMap { metric in
            guard let limit = limits[metric] else { return "no threshold for \(metric)" }
            guard let count = counted[metric] else { return "\(metric) was not counted" }
            let isInstructions = metric == Counts.instructionsName
            let allowed = isInstructions ? Int(Double(limit) * least)...Int(Double(limit) * (1 + tolerance)) : 0...limit
            return allowed.contains(count) ? nil : "\(metric): \(count), allowed \(allowed)"
        }
    }

    /// Whether a threshold applies to this run. Thresholds for instructions apply to one tier, and to CPUs like the one that made them.
    private func isDue(_ metric: String) -> Bool {
        metric.hasPrefix("instructions.") ? Counts.areInstructionsComparable && metric == Counts.instructionsName : true
    }

    /// Writes the counts and keeps the thresholds of other tiers.
    func write(_ counts: Counts, for name: String) throws {
        var limits = limits(name)
        for (metric, count) in counts.named { limits[metric] = count }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try (encoder.encode(limits) + Data("\n".utf8)).write(to: file(name))
    }
}
