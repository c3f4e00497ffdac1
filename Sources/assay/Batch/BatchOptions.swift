import ArgumentParser
import CommandProgram
import JWTCore

/// The options of `verify` for a file of tokens.
struct BatchOptions: ParsableArguments {
    @Option(
        name: .customLong("batch"),
        help: ArgumentHelp(
            "Verify a file of tokens, one per line (- for standard input): prints `valid` or the code for each, and the counts on standard "
                + "error.",
            valueName: "file"),
        completion: .file())
    var path: String?
    @Flag(help: "With --batch: begin each line with its number; in JSON, add the member line.")
    var lineNumbers = false
    @Flag(help: "With --batch: print neither progress nor the counts.")
    var quiet = false
    @Option(
        help: ArgumentHelp("With --batch: the number of threads, 1 to 64. The output keeps the order of the input.", valueName: "n"),
        transform: NumberArgument.int)
    var jobs: Int?

    func validate() throws {
        guard (1...64).contains(jobs ?? 1) else { throw ValidationError("--jobs is a number from 1 to 64") }
        guard path == nil else { return }
        if lineNumbers { throw ValidationError("--line-numbers needs --batch") }
        if quiet { throw ValidationError("--quiet needs --batch") }
        if jobs != nil { throw ValidationError("--jobs needs --batch") }
    }

    /// Prints a verdict for each line of the file, as soon as the input has no more lines ready.
    ///
    /// - Parameter unchecked: what to say on standard error if a token is valid.
    func verify(_ path: String, _ judge: TokenJudge, isJSON: Bool, unchecked: String?) async throws {
        let blocks = BlockJudge(judge, isJSON: isJSON, hasLineNumbers: lineNumbers)
        let run = BatchRun(blocks, try TokenInput.lines(path), isQuiet: quiet)
        var (counts, failure) = await run.run(jobs: jobs ?? 1)
        if isJSON { close(isEmpty: counts.valid == 0 && !counts.isRefused, &failure) }
        if !quiet, failure == nil || counts.isRefused || counts.valid > 0 { Terminal.error.line(counts.summary) }
        if !quiet, counts.valid > 0, let unchecked { Terminal.error.line(unchecked) }
        if let failure { throw failure }
        if counts.isRefused { throw ExitCode(counts.refused[.keysUnavailable] == nil ? 1 : 3) }
        // Only verified tokens end in 0.
        guard counts.valid > 0 else { throw Self.isEmpty }
    }

    private static let isEmpty = CommandFailure(
        message: "Error: no token in the batch", exitCode: 2, code: "usage", reason: "no token in the batch", isReported: true)

    /// Ends the array. A failure in the middle of the input is its last element, so that the document is whole.
    private func close(isEmpty: Bool, _ failure: inout CommandFailure?) {
        guard let document = failure?.document else { return Terminal.output.line(isEmpty ? "[]" : "]") }
        guard !isEmpty else { return }
        Terminal.output.line(",\(printableJSON(document))]")
        failure?.isReported = true
    }
}
