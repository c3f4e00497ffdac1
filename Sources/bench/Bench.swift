import ArgumentParser
import CommandProgram
import Foundation
import JWTCore
import Program

/// Measures whole verifications beside raw OpenSSL, in one run.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Times whole token verifications beside OpenSSL's bare operation, in one run.",
        discussion: """
            The ratio is OpenSSL's time divided by ours: above 1, a whole verification (split, base64url, JSON, hash, signature, claims)
            takes less time than EVP_PKEY_verify alone on a prepared context. In rows with threads in their names it is the throughput of
            all threads divided by that of one, in rows that end in .cost our time divided by that of another operation of ours. p50 is the median of the rounds, p10 the 10th percentile.
            Example: bench --quick --only rs256.single --html bench.html
            """
    )

    @Flag(help: "Fewer and shorter rounds: under a minute.")
    var quick = false
    @Option(help: "The name of a row to measure. May be repeated. Default: all except latency.")
    var only: [String] = []
    @Flag(help: "Also measure latency under open-loop load: es256, es256 through the batcher, and rs256.")
    var latency = false
    @Option(help: "Also write the results to a JSON file.", completion: .file())
    var json: String?
    @Option(help: "Also write the results to a self-contained HTML page with charts.", completion: .file())
    var html: String?
    @Option(help: "Measure nothing: show an earlier run's JSON file again, with --html as a page.", completion: .file())
    var from: String?
    @Option(help: "Show the changes since an earlier run's JSON file.", completion: .file())
    var compare: String?
    @Option(help: "Also show instructions on arm64, from the JSON file of Benchmarks/arm64/counts.sh.", completion: .file())
    var counts: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only measure as one of the programs that Benchmarks/peers compares.", valueName: "folder algorithm seconds"))
    var peers: [String] = []

    func validate() throws {
        guard peers.isEmpty || peers.count == 3 else { throw ValidationError("--peers takes a folder, an algorithm and seconds") }
        guard from == nil || (!quick && only.isEmpty && !latency && json == nil && compare == nil) else {
            throw ValidationError("--from measures nothing: beside it only --html and --counts have a meaning")
        }
        guard let unknown = only.first(where: { !Self.names.contains($0) }) else { return }
        throw ValidationError("unknown row \(unknown); the rows are \(Self.names.joined(separator: ", "))")
    }

    func run() throws {
        guard peers.isEmpty else { return try PeerProgram(folder: peers[0], algorithm: peers[1], seconds: peers[2]).run() }
        let counts = try counts.map(InstructionCounts.init(path:))
        if let from { return try show(Report(Report.Document(path: from), counts)) }
        let earlier = try compare.map(Report.Document.init(path:))
        let effort = quick ? Effort.quick : .whole
        // New threads inherit this, so tasks do not run on the core that measures.
        PinnedThreads.pin(to: 1)
        let run = Run(effort, rows: rows, latency: latencyRows)
        let results = run.measure()
        let report = Report(results, isQuick: quick, counts)
        try show(report)
        if !results.unmeasured.isEmpty {
            Terminal.output.line("not measurable on this machine: \(results.unmeasured.joined(separator: ", "))")
        }
        if let earlier { Terminal.output.write(Comparison(of: report.document, without: unwanted, with: earlier).text) }
        if let json { try report.json().write(toFile: json, atomically: true, encoding: .utf8) }
        if results.unmeasured.contains(where: only.contains) { throw ExitCode.failure }
    }

    /// Prints the table, and writes the page if it is wanted.
    private func show(_ report: Report) throws {
        Terminal.output.write(report.table)
        if let html { try Page(report.document).text.write(toFile: html, atomically: true, encoding: .utf8) }
    }

    static func main() { main(ProgramArguments.orExit(unless: Engine.fault)) }

    private static let names = Measurement.all.map(\.name) + LatencyRows.names

    private var rows: [Measurement] { Measurement.all.filter { only.isEmpty || only.contains($0.name) } }

    /// The rows that the options left out.
    private var unwanted: Set<String> { Set(Self.names).subtracting(rows.map(\.name) + latencyRows) }

    private var latencyRows: [String] {
        let named = LatencyRows.names.filter(only.contains)
        return latency && named.isEmpty ? LatencyRows.names : named
    }
}
