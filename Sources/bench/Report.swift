import ArgumentParser
import COpenSSL
import Foundation
import JWTCore

/// The results of a run with their machine and date, as a table and as JSON.
struct Report {
    let document: Document

    /// The contents of the JSON file.
    struct Document: Codable {
        let machine: String
        let cores: Int?
        let openssl: String
        let date: String
        /// Whether the run was quick. Older files do not have it.
        let quick: Bool?
        let engine: [String: String]?
        let rows: [Row]
        var latency: [LatencyPoint]?
        /// Of another machine, which an emulator was.
        var counts: InstructionCounts?
    }

    /// - Parameter counts: replaces those of the document, if it is not nil.
    init(_ document: Document, _ counts: InstructionCounts?) {
        var document = document
        document.counts = counts ?? document.counts
        self.document = document
    }

    init(_ results: Run.Results, isQuick: Bool, _ counts: InstructionCounts?) {
        var engine = ["tier": Engine.tier.name]
        for kernel in Engine.kernels { engine["\(kernel.family)"] = kernel.state.rawValue }
        document = Document(
            machine: Self.machineName, cores: Effort.cores, openssl: unsafe String(cString: cossl_version()),
            date: String(ISO8601DateFormatter().string(from: Date()).prefix(10)), quick: isQuick, engine: engine,
            rows: results.rows, latency: results.latency.isEmpty ? nil : results.latency, counts: counts)
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    var table: String {
        let text = "\(document.machine) · \(document.openssl) · \(document.date) · one thread, except rows with threads in their names\n"
        let (rows, latency) = (document.rowTable, document.latencyTable)
        return text + "engine: \(document.engineText)\n" + (rows.isEmpty ? "" : rows.text)
            + (latency.isEmpty
                ? "" : "\nlatency in µs, Poisson arrivals, response from the intended arrival, verified on one core\n" + latency.text)
            + (document.counts.map { "\n\($0.title)\n\($0.table.text)" } ?? "")
    }

    /// The processor's name, if the system reports it.
    private static var machineName: String {
        let cpuinfo = FileManager.default.contents(atPath: "/proc/cpuinfo").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }
}

extension Report.Document {
    /// Reads the file of an earlier run.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path), let document = try? JSONDecoder().decode(Self.self, from: data) else {
            throw ValidationError("\(path) is not a JSON file of an earlier run")
        }
        self = document
    }

    /// The tier, and the state of each family of kernels.
    var engineText: String {
        guard let engine else { return "unknown" }
        let families = engine.filter { $0.key != "tier" }.sorted { $0.key < $1.key }
        return "\(engine["tier"] ?? "") (\(families.map { "\($0.key) \($0.value)" }.joined(separator: ", ")))"
    }

    var rowTable: TextTable {
        var table = TextTable(["row", "per second", "ns p50", "ns p10", "ns p90", "cycles", "OpenSSL/s", "ratio", "ratio p10–p90"])
        for row in rows {
            let times = [row.nanoseconds, row.nanosecondsP10, row.nanosecondsP90].map { $0?.timeText ?? "-" }
            let figures = [
                row.cycles?.timeText, row.opensslOpsPerSecond?.grouped(), row.ratio?.ratioText, row.ratioSpread?.text(\.ratioText),
            ]
            table.add(
                [row.name, row.opsPerSecond.grouped()] + times + figures.map { $0 ?? "-" },
                note: Self.notes(row).joined(separator: ", "))
        }
        return table
    }

    private static func notes(_ row: Row) -> [String] {
        [
            row.meanWidth.map { "\($0.grouped(1)) tokens per batch" },
            row.ratioP10.map { "ratio \($0.ratioText) at the fastest tenth" },
            row.machineShare.map { "\($0.ratioText) of the scaling of additions" },
        ].compactMap { $0 }
    }

    var latencyTable: TextTable {
        var table = TextTable(["row", "load", "arrivals/s", "samples", "time", "p50", "p90", "p99", "p99.9", "max"])
        for point in latency ?? [] {
            let place = [point.name, point.load.percentText, point.rate.grouped(), Double(point.samples).grouped()]
            table.add(place + ["response"] + point.response.columns)
            table.add(place + ["service"] + point.service.columns, note: point.isOverloaded ? "overloaded" : "")
        }
        return table
    }
}
