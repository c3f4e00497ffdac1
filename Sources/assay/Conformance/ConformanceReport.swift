import Foundation

/// What came of a conformance run.
struct ConformanceReport {
    struct Failure: Encodable {
        let file: String
        let id: String
        let expected: String
        let got: String
    }

    let printsFailures: Bool
    private(set) var passed = 0
    private(set) var skipped = 0
    private(set) var failures: [Failure] = []

    init(printsFailures: Bool) { self.printsFailures = printsFailures }

    mutating func skip(_ count: Int = 1) { skipped += count }

    /// Notes a verdict of ours: "invalid" is met by any code.
    mutating func note(_ path: String, _ id: String, expected: String, got: String) {
        noteExactly(path, id, expected: expected, got: expected == "invalid" && got != "valid" ? expected : got)
    }

    /// Notes an outcome that is met by itself alone.
    mutating func noteExactly(_ path: String, _ id: String, expected: String, got: String) {
        if expected == got {
            passed += 1
            return
        }
        let failure = Failure(file: (path as NSString).lastPathComponent, id: id, expected: expected, got: got)
        failures.append(failure)
        guard printsFailures else { return }
        let output = Terminal.output
        output.line("\(output.styled("FAIL", .bad)) \(failure.file) \(id): expected \(expected), got \(got)")
    }

    var closingLine: String { "\(passed) passed, \(failures.count) failed" + (skipped > 0 ? ", \(skipped) skipped" : "") }

    var json: String {
        struct Summary: Encodable {
            let passed: Int
            let failed: Int
            let skipped: Int
            let failures: [Failure]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let summary = Summary(passed: passed, failed: failures.count, skipped: skipped, failures: failures)
        return (try? String(decoding: encoder.encode(summary), as: UTF8.self)) ?? "{}"
    }
}
