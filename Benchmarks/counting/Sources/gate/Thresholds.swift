import Counting
import Foundation

/// What each operation may take: files of ordo-one's format, which its plugin reads too.
struct Thresholds {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Thresholds")
    /// How far instructions may be off: compilers differ in their patch releases. Everything else is exact.
    private let tolerance = 0.05

    private func file(_ name: String) -> URL { folder.appendingPathComponent("Counts.\(name).p90.json") }

    private func limits(_ name: String) -> [String: Int] {
        guard let data = try? Data(contentsOf: file(name)) else { return [:] }
        return (try? JSONDecoder().decode([String: Int].self, from: data)) ?? [:]
    }

    /// What `counts` exceeds. Instructions of a tier that nobody has counted yet are let through; nothing else is.
    func faults(of counts: Counts, for name: String) -> [String] {
        let limits = limits(name)
        return counts.named.compactMap { metric, count in
            let isInstructions = metric == Counts.instructionsName
            guard let limit = limits[metric] else { return isInstructions ? nil : "no threshold for \(metric)" }
            let allowed = isInstructions ? Int(Double(limit) * (1 + tolerance)) : limit
            return count <= allowed ? nil : "\(metric): \(count), allowed \(allowed)"
        }
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
