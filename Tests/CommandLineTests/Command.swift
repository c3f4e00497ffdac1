import Foundation
import JWTTestSupport

/// The commands as they were built beside these tests, run as a person runs them: by a shell, between files.
struct Command {
    struct Outcome {
        let exitCode: Int32
        let output: String
        let errors: String
    }

    private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()

    /// Runs `assay` with `arguments`, `input` on its standard input, in the root of the repository.
    static func assay(_ arguments: [String], input: String = "") throws -> Outcome { try run("assay", arguments, input: input) }

    /// Runs `bench` with `arguments`, likewise.
    static func bench(_ arguments: [String]) throws -> Outcome { try run("bench", arguments, input: "") }

    private static func run(_ program: String, _ arguments: [String], input: String) throws -> Outcome {
        let folder = try TemporaryFolder()
        let inputFile = try folder.write("input", input)
        let line = line(program, arguments)
        let status = Shell.run(
            "cd \(Shell.quoted(ConformanceFolder.repository)) && \(line) <\(inputFile) >\(folder.path)/output 2>\(folder.path)/errors"
        )
        return Outcome(exitCode: status, output: folder.read("output"), errors: folder.read("errors"))
    }

    /// `assay` with `arguments`, as a shell reads it.
    static func line(_ arguments: [String]) -> String { line("assay", arguments) }

    private static func line(_ program: String, _ arguments: [String]) -> String {
        ([folder.appendingPathComponent(program).path] + arguments).map(Shell.quoted).joined(separator: " ")
    }
}
