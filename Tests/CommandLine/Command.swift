import Foundation
import JWTTestSupport
import Testing

/// Runs the commands that were built with these tests, as a user does: in a shell, with input and output in files.
struct Command {
    struct Outcome {
        let exitCode: Int32
        let output: String
        let errors: String
        /// The exact output.
        let bytes: [UInt8]
    }

    private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()

    /// Runs `assay` with `arguments`, `input` on its standard input, in the root of the repository.
    ///
    /// - Parameter code: the exit code that the test expects, if this is all that it has to say of it.
    static func assay(
        _ arguments: [String], input: String = "", exits code: Int32? = nil, _ place: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        return try shell("\(line(arguments)) <\(try folder.write("input", input))", exits: code, place)
    }

    /// Runs `bench` with `arguments` in the same way.
    static func bench(
        _ arguments: [String], exits code: Int32? = nil, _ place: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        try shell("\(line("bench", arguments)) </dev/null", exits: code, place)
    }

    /// Runs `script` in bash, in the root of the repository.
    static func shell(_ script: String, exits code: Int32? = nil, _ place: SourceLocation = #_sourceLocation) throws -> Outcome {
        let folder = try TemporaryFolder()
        let file = try folder.write("script", script)
        let status = Shell.run(
            "cd \(Shell.quoted(ConformanceFolder.repository)) && bash \(file) </dev/null >\(folder.path)/output 2>\(folder.path)/errors")
        if let code { #expect(status == code, "\(folder.read("errors"))", sourceLocation: place) }
        return Outcome(exitCode: status, output: folder.read("output"), errors: folder.read("errors"), bytes: folder.bytes("output"))
    }

    /// The shell command line for `assay` with `arguments`.
    static func line(_ arguments: [String]) -> String { line("assay", arguments) }

    /// The shell command line for another program that was built with these tests.
    static func line(_ program: String, _ arguments: [String]) -> String {
        ([folder.appendingPathComponent(program).path] + arguments).map(Shell.quoted).joined(separator: " ")
    }
}
