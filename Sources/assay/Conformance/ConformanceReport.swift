import Foundation

/// The results of a conformance run.
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

    /// Records one of our verdicts. The expectation "invalid" accepts any code.
    mutating func note(_ path: String, _ id: String, expected: String, got: String) {
        noteExactly(path, id, expected: expected, got: expected == "invalid" && got != "valid" ? expected : got)
    }

    /// Records an outcome that must equal the expected one.
    mutating func noteExactly(_ path: String, _ id: String, expected: String, got: String) {
        if expected == got {
            passed += 1
            return
        }
        let failure = Failure(file: (path as NSString).lastPathComponent, id: id, expected: expected, got: got)
        failures.append(failure)
        guard printsFailures else { return }
        let output = Terminal.output
        let mark = output.styled("FAIL", .bad), file = printable(failure.file)
        output.line("\(mark) \(file) \(printable(id)): expected \(printable(expected)), got \(printable(got))")
    }

    var closingLine: String { "\(passed) passed, \(failures.count) failed" + (skipped > 0 ? ", \(skipped) skipped" : "") }

    /// The document that `--json` prints.
    struct Summary: Encodable {
        let passed: Int
        let failed: Int
        let skipped: Int
        let failures: [Failure]
    }

    var summary: Summary { Summary(passed: passed, failed: failures.count, skipped: skipped, failures: failures) }
}
