import Foundation
import JWTTestSupport
import Testing

/// The output and the files of `bench`. The figures depend on the machine and are not tested.
@Suite struct BenchCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theRowsAreInTheTableAndInTheFile() throws {
        let outcome = try Command.bench(["--quick", "--only", "refuse.junk", "--only", "es256.batch", "--json", "\(folder.path)/now.json"])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.contains("\nes256.batch ") && outcome.output.contains("\nrefuse.junk "))
        let document = try document("now.json")
        #expect(Set(document.keys) == ["machine", "cores", "openssl", "date", "quick", "engine", "rows"])
        #expect(document["quick"] as? Bool == true)
        let rows = try #require(document["rows"] as? [[String: Any]])
        #expect(rows.map { $0["name"] as? String } == ["es256.batch", "refuse.junk"])
        let members: Set = ["name", "ops_per_s", "ns", "ns_p10", "ns_p90", "unit", "cycles"]
        #expect(rows.map { Set($0.keys) } == [members.union(["openssl_ops_per_s", "ratio", "ratio_spread"]), members])
        #expect(rows.allSatisfy { ($0["cycles"] as? Double ?? 0) > 0 })
        // The median is between the percentiles.
        for row in rows {
            let times = ["ns_p10", "ns", "ns_p90"].compactMap { row[$0] as? Double }
            #expect(times.count == 3 && times == times.sorted())
        }
        let spread = try #require(rows[0]["ratio_spread"] as? [String: Double]), ratio = rows[0]["ratio"] as? Double ?? 0
        #expect((spread["p10"] ?? .infinity) <= ratio && ratio <= (spread["p90"] ?? 0))
        #expect((rows[0]["ratio"] as? Double ?? 0) > 0)
    }

    @Test func thePageNeedsNothingElse() throws {
        _ = try Command.bench(["--quick", "--only", "refuse.junk", "--html", "\(folder.path)/page.html"], exits: 0)
        let page = folder.read("page.html")
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("class=\"bars\"") && page.contains("refuse.junk"))
        for reference in ["http:", "https:", "src=", "href=", "url(", "@import"] { #expect(!page.contains(reference)) }
    }

    /// The table and the page of an earlier run, whose names are the longest, are written without a measurement.
    @Test func anEarlierRunIsShownAgain() throws {
        let names = ["ed25519.batch.threads2", "keys.refresh.p99"]
        let text = Self.earlier(rows: names.map(Self.row), latency: [Self.point("es256.batcher.latency", 0.5)])
        let earlier = try folder.write("then.json", text)
        let outcome = try Command.bench(["--from", earlier, "--html", "\(folder.path)/page.html"], exits: 0)
        let page = folder.read("page.html")
        for name in names + ["es256.batcher.latency"] {
            #expect(outcome.output.contains("\n\(name)  ") && page.contains(">\(name)</"))
        }
        // A row's tokens per second.
        #expect(outcome.output.contains("  1,000,000,000,000  ") && page.contains(">1,000,000,000,000</td>"))
    }

    /// Counts are in the table, the page and the file, beside the rows of a run or of an earlier one.
    @Test func countsOfInstructionsAreShownBesideTimes() throws {
        let counts = try folder.write("counts.json", Self.counts)
        let outcome = try Command.bench(
            [
                "--quick", "--only", "refuse.junk", "--counts", counts, "--json", "\(folder.path)/now.json", "--html",
                "\(folder.path)/page.html",
            ],
            exits: 0)
        let title = "Instructions on arm64, counted and not timed (an emulated abacus, none, 1970-01-01)"
        #expect(outcome.output.contains("\n\(title)\n"))
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.suffix(2) == ["rs256.arm64 150,000 59,000 0 180,000 1.20", "overhead.640.arm64 6,000 31 0 - -"])
        #expect(folder.read("page.html").contains("<h2>\(title)</h2>"))
        let kept = try #require(document("now.json")["counts"] as? [String: Any])
        #expect((kept["rows"] as? [[String: Any]])?.map { $0["name"] as? String } == ["rs256.arm64", "overhead.640.arm64"])
        let again = try Command.bench(["--from", "\(folder.path)/now.json"], exits: 0)
        #expect(again.output.contains("\n\(title)\n"))
        let beside = try Command.bench(["--from", folder.write("then.json", Self.earlier()), "--counts", counts], exits: 0)
        #expect(beside.output.contains("\n\(title)\n"))
    }

    @Test(arguments: ["", "{}", #"{"machine":"","openssl":"","date":"","rows":[{"name":"rs256.arm64"}]}"#])
    func whatIsNoFileOfCountsIsAMistakeOfItsCaller(text: String) throws {
        let outcome = try Command.bench(["--only", "refuse.junk", "--counts", folder.write("counts.json", text)], exits: 64)
        #expect(outcome.errors.contains("counts.json is not a JSON file of Benchmarks/arm64/counts.sh"))
    }

    @Test(arguments: ["--quick", "--latency", "--only refuse.junk", "--json now.json", "--compare then.json"])
    func showingAnEarlierRunMeasuresNothing(option: String) throws {
        let earlier = try folder.write("then.json", Self.earlier())
        let outcome = try Command.bench(["--from", earlier] + option.split(separator: " ").map(String.init), exits: 64)
        #expect(outcome.errors.contains("--from measures nothing: beside it only --html and --counts have a meaning"))
    }

    @Test func aRowThatLostMoreThanItMayIsMarked() throws {
        let outcome = try comparison(with: Self.earlier(rows: [Self.row("refuse.junk")]), rows: ["refuse.junk"])
        #expect(outcome.output.contains("since 1970-01-01 on an abacus"))
        #expect(outcome.output.contains("  worse\n1 of 1 rows worse by more than 10 %\n"))
        for word in ["only then", "only now", "response in µs"] { #expect(!outcome.output.contains(word)) }
    }

    /// A row without a ratio is judged by cycles, and the earlier run has more of them.
    @Test func aRowThatLostNothingIsNotMarked() throws {
        let row = #"{"name":"refuse.junk","ops_per_s":1e9,"openssl_ops_per_s":null,"ratio":null,"ns":1,"cycles":1e6,"unit":"ns/token"}"#
        let outcome = try comparison(with: Self.earlier(rows: [row]), rows: ["refuse.junk"])
        #expect(!outcome.output.contains("  worse\n"))
        #expect(outcome.output.contains("no row is worse by more than 10 %\n"))
    }

    /// The member of the earlier file, and the caution that a quick run prints for it.
    @Test(arguments: [
        (#""quick":true,"#, ""),
        (#""quick":false,"#, "caution: that run was whole and this one quick, and a quick run has fewer rounds and fewer tokens\n"),
        ("", "that run's file does not say whether it was quick\n"),
    ])
    func aRunOfAnotherKindIsComparedWithCaution(member: String, caution: String) throws {
        let outcome = try comparison(with: Self.earlier(member, rows: [Self.row("refuse.junk")]), rows: ["refuse.junk"])
        #expect(outcome.output.contains("on an abacus, none\n\(caution)row "))
    }

    @Test func whatOnlyOneRunHasIsNamed() throws {
        let rows = ["rot13.single", "es256.single", "hs256.2k"].map(Self.row)
        let points = ["rot13.latency", "es256.latency"].map { Self.point($0, 0.5) }
        let earlier = Self.earlier(rows: rows, latency: points)
        let outcome = try comparison(with: earlier, rows: ["refuse.junk"])
        let lines = [
            "no row is in both", "only then: rot13.single, rot13.latency at 50 %", "only now: refuse.junk",
            "that run has 3 more, which this one was not asked for", "",
        ]
        #expect(outcome.output.hasSuffix(lines.joined(separator: "\n")))
    }

    /// The row uses the batcher, which must return all tokens.
    @Test func latencyIsComparedAtTheSameLoad() throws {
        let points = [Self.point("es256.batcher.latency", 0.5), Self.point("es256.batcher.latency", 0.55)]
        let outcome = try comparison(with: Self.earlier(latency: points), rows: ["es256.batcher.latency"])
        #expect(!outcome.output.contains("no row is in both"))
        let table = try #require(outcome.output.range(of: "response in µs").map { outcome.output[$0.lowerBound...] }).split(separator: "\n")
        #expect(table.dropFirst().first?.hasPrefix("es256.batcher.latency  50 %") == true)
        let only = [70, 80, 90, 95].map { "es256.batcher.latency at \($0) %" }.joined(separator: ", ")
        #expect(Array(table.dropFirst(2)) == ["only then: es256.batcher.latency at 55 %", "only now: \(only)"])
    }

    @Test(arguments: ["", "[]", "{}", #"{"machine":"","openssl":"","date":"","quick":1,"rows":[]}"#])
    func whatIsNoEarlierRunIsAMistakeOfItsCaller(text: String) throws {
        let outcome = try comparison(with: text, rows: ["refuse.junk"], exits: 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("then.json is not a JSON file of an earlier run"))
    }

    @Test func anUnknownRowIsAMistakeOfItsCaller() throws {
        let outcome = try Command.bench(["--only", "rot13.single"], exits: 64)
        #expect(outcome.errors.contains("unknown row rot13.single; the rows are rs256.single, "))
    }

    /// Every kind has the same rows, and both token sizes have the same measurements.
    @Test func theRowsOfEachKind() throws {
        let names = try Command.bench(["--only", "rot13.single"]).errors
        for kind in ["rs256", "rs3072", "rs4096", "ps256", "es256", "es384", "es512", "ed25519", "hs256"] {
            for row in ["single", "batch", "openssl", "threads2", "batch.threads2", "2k", "2k.batch"] + tiers(kind) {
                #expect(names.contains(" \(kind).\(row),"))
            }
        }
        for row in ["parse.640", "parse.2k", "cache.hit.threads2", "es256.batcher.latency"] { #expect(names.contains(" \(row),")) }
    }

    /// The rows that are named by instructions, and that of the tables tier where it is not.
    private func tiers(_ kind: String) -> [String] {
        guard kind.hasPrefix("rs") || kind == "ps256" else { return ["tables"] }
        #if arch(x86_64)
        return ["adx", "batch.avx2", "batch.avx512f"]
        #else
        return ["tables", "batch.avx2", "batch.avx512f"]
        #endif
    }

    /// A row by the instructions of a CPU verifies the same tokens, where the CPU has them.
    @Test func aRowNamedByItsInstructionsIsMeasuredOrNamedAsNot() throws {
        let outcome = try Command.bench(["--quick", "--only", "rs256.adx"])
        let isMeasured = outcome.output.contains("\nrs256.adx ")
        #expect(isMeasured == (outcome.exitCode == 0))
        #expect(isMeasured || outcome.output.contains("not measurable on this machine: rs256.adx"))
    }

    private func document(_ name: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(folder.bytes(name))) as? [String: Any])
    }

    // Earlier runs

    private static let counts = #"""
        {"machine":"an emulated abacus","openssl":"none","date":"1970-01-01","rows":[
        {"name":"rs256.arm64","instructions":150000,"products":59000,"vector_products":0,"openssl_instructions":180000},
        {"name":"overhead.640.arm64","instructions":6000,"products":31,"vector_products":0}]}
        """#

    /// The outcome of a quick run of `rows` that is compared with the earlier run whose file is `text`.
    private func comparison(with text: String, rows: [String], exits code: Int32 = 0) throws -> Command.Outcome {
        let earlier = try folder.write("then.json", text)
        return try Command.bench(["--quick", "--compare", earlier] + rows.flatMap { ["--only", $0] }, exits: code)
    }

    private static func earlier(_ member: String = #""quick":true,"#, rows: [String] = [], latency: [String] = []) -> String {
        let lists = #""rows":[\#(rows.joined(separator: ","))],"latency":[\#(latency.joined(separator: ","))]"#
        return #"{"machine":"an abacus","openssl":"none","date":"1970-01-01",\#(member)\#(lists)}"#
    }

    /// A row that no machine can reach.
    private static func row(_ name: String) -> String {
        #"{"name":"\#(name)","ops_per_s":1e12,"openssl_ops_per_s":null,"ratio":null,"ns":0.001,"unit":"ns/token"}"#
    }

    private static func point(_ name: String, _ load: Double) -> String {
        let times = #"{"p50":1,"p90":2,"p99":3,"p99.9":4,"max":5,"mean":1}"#
        return #"{"name":"\#(name)","load":\#(load),"capacity_per_s":2,"rate_per_s":1,"samples":9,"longest_gap_us":0,"#
            + #""service_us":\#(times),"response_us":\#(times)}"#
    }
}
