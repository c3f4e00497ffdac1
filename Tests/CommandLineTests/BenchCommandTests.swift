import Foundation
import JWTTestSupport
import Testing

/// What `bench` prints and writes. Its figures are the machine's business.
@Suite struct BenchCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theRowsAreInTheTableAndInTheFile() throws {
        let outcome = try Command.bench(["--quick", "--only", "refuse.junk", "--only", "es256.batch", "--json", "\(folder.path)/now.json"])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.contains("\nes256.batch ") && outcome.output.contains("\nrefuse.junk "))
        let document = try document("now.json")
        #expect(Set(document.keys) == ["machine", "cores", "openssl", "date", "engine", "rows"])
        let rows = try #require(document["rows"] as? [[String: Any]])
        #expect(rows.map { $0["name"] as? String } == ["es256.batch", "refuse.junk"])
        let members: Set = ["name", "ops_per_s", "openssl_ops_per_s", "ratio", "ns", "ns_quiet", "unit", "cycles"]
        for row in rows { #expect(Set(row.keys) == members) }
        #expect(rows.allSatisfy { ($0["cycles"] as? Double ?? 0) > 0 })
        // Wherever the median is, a tenth of the rounds were not slower.
        for row in rows { #expect((row["ns_quiet"] as? Double ?? .infinity) <= (row["ns"] as? Double ?? 0)) }
        #expect((rows[0]["ratio"] as? Double ?? 0) > 0 && rows[1]["ratio"] is NSNull)
    }

    @Test func thePageNeedsNothingElse() throws {
        let outcome = try Command.bench(["--quick", "--only", "refuse.junk", "--html", "\(folder.path)/page.html"])
        #expect(outcome.exitCode == 0)
        let page = folder.read("page.html")
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg") && page.contains("refuse.junk"))
        for reference in ["http:", "https:", "src=", "href=", "url(", "@import"] { #expect(!page.contains(reference)) }
    }

    @Test func aRowThatLostMoreThanItMayIsMarked() throws {
        let row = #"{"name":"refuse.junk","ops_per_s":1e12,"openssl_ops_per_s":null,"ratio":null,"ns":0.001,"unit":"ns/token"}"#
        let earlier = try folder.write("then.json", #"{"machine":"an abacus","openssl":"none","date":"1970-01-01","rows":[\#(row)]}"#)
        let outcome = try Command.bench(["--quick", "--only", "refuse.junk", "--compare", earlier])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("since 1970-01-01 on an abacus"))
        #expect(outcome.output.contains("  worse\n1 of 1 rows worse by more than 5 %\n"))
    }

    @Test func anUnknownRowIsAMistakeOfItsCaller() throws {
        let outcome = try Command.bench(["--only", "rot13.single"])
        #expect(outcome.exitCode == 64)
        #expect(outcome.errors.contains("there is no row rot13.single; there are rs256.single, "))
    }

    private func document(_ name: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(folder.bytes(name))) as? [String: Any])
    }
}
