import ArgumentParser
import Foundation

/// Measures whole verifications beside raw OpenSSL, in one run.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Times whole token verifications beside OpenSSL's bare operation, in one run.",
        discussion: """
            The ratio is raw OpenSSL's time over ours: above 1 a whole verification (split, base64url, JSON, hash, signature, claims) takes
            less time than EVP_PKEY_verify alone over a prepared context. In the threads rows it is the throughput of all over that of one.
            Example: bench --quick --only rs256.single --html bench.html
            """
    )

    @Flag(help: "Fewer and shorter rounds: under a minute.")
    var quick = false
    @Option(help: "A row to measure, by name. May be repeated. Default: all but latency.")
    var only: [String] = []
    @Flag(help: "Also measure latency under open-loop load, for es256, alone and through the batcher, and rs256.")
    var latency = false
    @Option(help: "Write the results to a JSON file as well.", completion: .file())
    var json: String?
    @Option(help: "Write the results to a page that needs nothing else, with charts.", completion: .file())
    var html: String?
    @Option(help: "Show the changes since an earlier run's JSON file.", completion: .file())
    var compare: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Measure as a peer of Benchmarks/peers, and nothing else.", valueName: "folder algorithm seconds"))
    var peers: [String] = []

    func validate() throws {
        guard peers.isEmpty || peers.count == 3 else { throw ValidationError("--peers takes a folder, an algorithm and seconds") }
        guard let unknown = only.first(where: { !Self.names.contains($0) }) else { return }
        throw ValidationError("there is no row \(unknown); there are \(Self.names.joined(separator: ", "))")
    }

    func run() throws {
        guard peers.isEmpty else { return try PeerProgram(folder: peers[0], algorithm: peers[1], seconds: peers[2]).run() }
        let earlier = try compare.map(Report.Document.init(path:))
        let effort = quick ? Effort.quick : .whole
        // Tasks go where the measuring threads do not: new threads inherit this.
        PinnedThreads.pin(to: 1)
        let run = Run(effort, rows: rows, latency: latencyRows)
        let results = run.measure()
        let report = Report(results, isQuick: quick)
        print(report.table, terminator: "")
        if !results.unmeasured.isEmpty { print("not to be measured here: \(results.unmeasured.joined(separator: ", "))") }
        if let earlier { print(Comparison(of: report.document, without: unwanted, with: earlier).text, terminator: "") }
        if let json { try report.json().write(toFile: json, atomically: true, encoding: .utf8) }
        if let html { try Page(report.document).text.write(toFile: html, atomically: true, encoding: .utf8) }
        if results.unmeasured.contains(where: only.contains) { throw ExitCode.failure }
    }

    private static let names = Measurement.all.map(\.name) + LatencyRows.names

    private var rows: [Measurement] { Measurement.all.filter { only.isEmpty || only.contains($0.name) } }

    /// The rows that this run leaves out.
    private var unwanted: Set<String> { Set(Self.names).subtracting(rows.map(\.name) + latencyRows) }

    private var latencyRows: [String] {
        let named = LatencyRows.names.filter(only.contains)
        return latency && named.isEmpty ? LatencyRows.names : named
    }
}
