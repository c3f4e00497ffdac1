import ArgumentParser
import Foundation
import JWTCore

/// Measures whole verifications beside raw OpenSSL, in one run.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Times whole token verifications beside OpenSSL's bare operation, in one run.",
        discussion: """
            The ratio is raw OpenSSL's time over ours: above 1 a whole verification (split, base64url, JSON, hash, signature, claims) takes
            less time than EVP_PKEY_verify alone over a prepared context. Example: bench --quick --only rs256.single
            """
    )

    @Flag(help: "Fewer and shorter rounds: under a minute.")
    var quick = false
    @Option(help: "A row to measure, by name. May be repeated. Default: all.")
    var only: [String] = []
    @Option(help: "Write the rows to a JSON file as well.", completion: .file())
    var json: String?

    func run() throws {
        let rounds = quick ? 7 : 21
        let seconds = quick ? 0.03 : 0.1
        var rows: [Row] = []
        let workloads = Workload.all.filter { only.isEmpty || only.contains($0.name) }
        let cacheRows = KeyCacheRows.names(among: only)
        guard !workloads.isEmpty || !cacheRows.isEmpty else {
            let names = Workload.all.map(\.name) + KeyCacheRows.names(among: [])
            throw ValidationError("no such row; there are \(names.joined(separator: ", "))")
        }
        // Tasks go where the measuring threads do not: new threads inherit this.
        PinnedThreads.pin(to: 1)
        for workload in workloads {
            showProgress(workload.name)
            guard let prepared = workload.prepare() else { continue }
            rows.append(Stopwatch(rounds: rounds, secondsPerRound: seconds).measure(workload.name, prepared))
        }
        let cache = KeyCacheRows(samples: quick ? 1_000 : 10_000, runs: quick ? 3 : 9)
        for name in cacheRows {
            showProgress(name)
            if let row = cache.row(name) { rows.append(row) }
        }
        showProgress(nil)
        let report = Report(rows: rows)
        print(report.table, terminator: "")
        if let json { try report.json.write(toFile: json, atomically: true, encoding: .utf8) }
    }

    /// The row being measured, on a terminal alone.
    private func showProgress(_ name: String?) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K\(name.map { "measuring \($0)" } ?? "")".utf8))
    }
}
