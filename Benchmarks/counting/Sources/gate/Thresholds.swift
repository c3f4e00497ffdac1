import Counting
import Foundation

/// What each operation may take: files of ordo-one's format, which its plugin reads too.
struct Thresholds {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Thresholds")
    /// How far instructions may be above: compilers differ in their patch releases. Everything else is exact.
    private let tolerance = 0.05
    /// Below this share of them something else ran: libcrypto instead of a kernel.
    private let least = 0.75

    private func file(_ name: String) -> URL { folder.appendingPathComponent("Counts.\(name).p90.json") }

    private func limits(_ name: String) -> [String: Int] {
        guard let data = try? Data(contentsOf: file(name)) else { return [:] }
        return (try? JSONDecoder().decode([String: Int].self, from: data)) ?? [:]
    }

    /// What `counts` exceeds, what of them has no threshold, and what has one and was not counted.
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

    /// Whether a threshold is for this run: those of instructions are for one tier each, and for CPUs like the one they were counted on.
    private func isDue(_ metric: String) -> Bool {
        metric.hasPrefix("instructions.") ? Counts.areInstructionsComparable && metric == Counts.instructionsName : true
    }

    /// Keeps what is known of other tiers.
    func write(_ counts: Counts, for name: String) throws {
        var limits = limits(name)
        for (metric, count) in counts.named { limits[metric] = count }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try (encoder.encode(limits) + Data("\n".utf8)).write(to: file(name))
    }
}
