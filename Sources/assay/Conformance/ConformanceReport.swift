import CommandProgram

/// The results of a conformance run.
struct ConformanceReport {
    struct Failure: Encodable {
        let file: String
        let id: String
        /// How much it matters, if the case says so: must, should or hardening.
        let severity: String?
        let expected: String
        let got: String
    }

    let printsFailures: Bool
    private(set) var passed = 0
    /// The number of skipped cases for each reason.
    private(set) var skips: [String: Int] = [:]
    private(set) var failures: [Failure] = []
    /// What the kernels of `--engine` judged.
    var comparison: EngineComparison?

    init(printsFailures: Bool) { self.printsFailures = printsFailures }

    var skipped: Int { skips.values.reduce(0, +) }

    /// Why the run ends with 1: a case failed, the kernels erred, or there was nothing to judge. Nil if every case passed.
    var failure: CommandFailure? {
        if failures.count > 0 { return .failed(failures.count == 1 ? "1 case failed" : "\(failures.count) cases failed") }
        if let fault = comparison?.fault { return fault }
        if passed > 0 { return comparison?.absence }
        return .nothingToRun(skipped > 0 ? "every case is skipped" : "there is no case of a known format")
    }

    mutating func skip(_ count: Int = 1, because reason: String) {
        if count > 0 { skips[reason, default: 0] += count }
    }

    /// Records one of our verdicts. The expectation "invalid" accepts any code.
    mutating func note(_ path: String, _ id: String, severity: String? = nil, expected: String, got: String) {
        noteExactly(path, id, severity: severity, expected: expected, got: expected == "invalid" && got != "valid" ? expected : got)
    }

    /// Records an outcome that must equal the expected one.
    mutating func noteExactly(_ path: String, _ id: String, severity: String? = nil, expected: String, got: String) {
        if expected == got {
            passed += 1
            return
        }
        MemoryShortage.look()
        let file = String(path.split(separator: "/").last ?? "/")
        let failure = Failure(file: file, id: id, severity: severity, expected: expected, got: got)
        failures.append(failure)
        guard printsFailures else { return }
        let output = Terminal.output
        let mark = output.styled("FAIL", .bad)
        output.line("\(mark) \(printable(file)) \(printable(id)): expected \(printable(expected)), got \(printable(got))")
    }

    /// A line for each reason of skipped cases, the most frequent first.
    private var skipLines: [String] {
        skips.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "SKIP \($0.value): \(printable($0.key))" }
    }

    /// The last lines of a report in words.
    var closingLines: [String] { (comparison.map { [$0.line] } ?? []) + skipLines + [closingLine] }

    private var closingLine: String { "\(passed) passed, \(failures.count) failed" + (skipped > 0 ? ", \(skipped) skipped" : "") }

    /// The document that `--json` prints.
    struct Summary: Encodable {
        let passed: Int
        let failed: Int
        let skipped: Int
        let skips: [Skip]
        let failures: [Failure]
        let engine: EngineComparison?
        /// As in the document of any other failure, if the run ends with 1.
        let code: String?
        let reason: String?
    }

    struct Skip: Encodable {
        let reason: String
        let count: Int
    }

    var summary: Summary {
        let failure = failure
        return Summary(
            passed: passed, failed: failures.count, skipped: skipped,
            skips: skips.sorted { $0.key < $1.key }.map { Skip(reason: $0.key, count: $0.value) }, failures: failures,
            engine: comparison, code: failure?.code, reason: failure?.reason)
    }
}

extension CommandFailure {
    /// A run that judged nothing must not look like one that passed.
    static func nothingToRun(_ reason: String) -> Self { .error("nothing to run: \(reason)", exitCode: 1, code: "nothing_to_run") }
}
