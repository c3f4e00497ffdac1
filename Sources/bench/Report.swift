import ArgumentParser
import COpenSSL
import Foundation
import JWTCore

/// The results of a run with where and when they were measured, as a table and as JSON.
struct Report {
    let document: Document

    /// What the JSON file holds.
    struct Document: Codable {
        let machine: String
        let cores: Int?
        let openssl: String
        let date: String
        /// Whether the run was quick; files of before it was recorded do not say.
        let quick: Bool?
        let engine: [String: String]?
        let rows: [Row]
        var latency: [LatencyPoint]?
    }

    init(_ results: Run.Results, isQuick: Bool) {
        var engine = ["tier": Engine.tier.name]
        for (family, state) in Engine.states { engine["\(family)"] = state.rawValue }
        document = Document(
            machine: Self.machineName, cores: Effort.cores, openssl: unsafe String(cString: cossl_version()),
            date: String(ISO8601DateFormatter().string(from: Date()).prefix(10)), quick: isQuick, engine: engine,
            rows: results.rows, latency: results.latency.isEmpty ? nil : results.latency)
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    var table: String {
        var text = "\(document.machine) · \(document.openssl) · \(document.date) · one thread unless a row says otherwise\n"
        text += "engine: \(document.engineText)\n"
        if !document.rows.isEmpty { text += "row                         /s           ns      quiet     cycles   openssl/s   ratio\n" }
        for row in document.rows { text += Self.line(row) }
        if let latency = document.latency { text += LatencyPoint.table(latency) }
        return text
    }

    private static func line(_ row: Row) -> String {
        let raw = row.opensslOpsPerSecond.map { String(format: "%11.0f", $0) } ?? "          -"
        let ratio = row.ratio.map { String(format: "%7.3f", $0) } ?? "      -"
        let cycles = row.cycles.map { String(format: "%10.0f", $0) } ?? "         -"
        let quiet = row.quietNanoseconds.map { String(format: "%10.0f", $0) } ?? "         -"
        let notes = [
            row.meanWidth.map { String(format: "%.1f tokens a batch", $0) }, row.quietRatio.map { String(format: "%.3f when quiet", $0) },
            row.machineShare.map { String(format: "%.3f of the machine's own gain", $0) },
        ]
        let note = notes.compactMap { $0 }.reduce("") { $0 + ($0.isEmpty ? "   " : ", ") + $1 }
        let name = row.name.padding(toLength: 21, withPad: " ", startingAt: 0)
        let times = String(format: "%11.0f  %11.0f ", row.opsPerSecond, row.nanoseconds) + quiet + " " + cycles
        return name + times + " " + raw + " " + ratio + note + "\n"
    }

    /// The processor's name, where the system tells it.
    private static var machineName: String {
        let cpuinfo = FileManager.default.contents(atPath: "/proc/cpuinfo").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }
}

extension Report.Document {
    /// Reads what an earlier run wrote.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path), let document = try? JSONDecoder().decode(Self.self, from: data) else {
            throw ValidationError("\(path) is no JSON file of an earlier run")
        }
        self = document
    }

    /// The tier, and what became of each family of kernels.
    var engineText: String {
        guard let engine else { return "unknown" }
        let families = engine.filter { $0.key != "tier" }.sorted { $0.key < $1.key }
        return "\(engine["tier"] ?? "") (\(families.map { "\($0.key) \($0.value)" }.joined(separator: ", ")))"
    }
}
