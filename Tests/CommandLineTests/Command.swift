import Foundation
import JWTTestSupport

/// The assay command as it was built beside these tests, run as a person runs it: by a shell, between files.
struct Command {
    struct Outcome {
        let exitCode: Int32
        let output: String
        let errors: String
    }

    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("assay").path

    /// Runs `assay` with `arguments`, `input` on its standard input, in the root of the repository.
    static func assay(_ arguments: [String], input: String = "") throws -> Outcome {
        let folder = try TemporaryFolder()
        let inputFile = try folder.write("input", input)
        let status = Shell.run(
            "cd \(Shell.quoted(ConformanceFolder.repository)) && \(line(arguments)) <\(inputFile) >\(folder.path)/output 2>\(folder.path)/errors"
        )
        return Outcome(exitCode: status, output: folder.read("output"), errors: folder.read("errors"))
    }

    /// The command with `arguments`, as a shell reads it.
    static func line(_ arguments: [String]) -> String { ([program] + arguments).map(Shell.quoted).joined(separator: " ") }
}
