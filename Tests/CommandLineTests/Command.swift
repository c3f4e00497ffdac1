import Foundation
import Glibc
import JWTTestSupport

/// The assay command as it was built beside these tests, run as a person runs it: by a shell, between files. (Foundation's `Process`
/// lets children inherit each other's pipes when tests run side by side.)
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
        let line = ([program] + arguments).map(quoted).joined(separator: " ")
        let status = shell(
            "cd \(quoted(ConformanceFolder.repository)) && \(line) <\(inputFile) >\(folder.path)/output 2>\(folder.path)/errors")
        return Outcome(exitCode: status, output: folder.read("output"), errors: folder.read("errors"))
    }

    /// The exit code of a shell command.
    static func shell(_ command: String) -> Int32 { unsafe system(command) >> 8 & 0xff }

    static func quoted(_ argument: String) -> String { "'" + argument.replacing("'", with: "'\\''") + "'" }
}

/// A folder that goes when it is no longer held.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "/assay-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and gives its path.
    func write(_ name: String, _ contents: String) throws -> String {
        try contents.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }

    /// The contents of a file, empty if there is none.
    func read(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data(), as: UTF8.self)
    }
}
