import ArgumentParser
import Foundation

struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Runs vector files and folders: our own format, Wycheproof's signature, JWS and JWK files, JSONTestSuite folders.",
        discussion: """
            Exit code 0 only without a failure. Example: assay conformance vectors
            Another verifier, judged by the same vectors: assay conformance --implementation 'python3 vectors/adapters/pyjwt.py' vectors
            """
    )

    @Option(help: "A command that is given the cases of our own format as JSON lines and answers {id, verdict}.")
    var implementation: String?
    @Flag(help: "Print one JSON document.")
    var json = false
    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]

    func run() throws {
        var report = ConformanceReport(printsFailures: !json)
        var vectorFiles: [VectorFile] = []
        for path in paths { try collect(path, isNamed: true, &report, &vectorFiles) }
        if let implementation {
            try OtherImplementation(command: implementation).judge(vectorFiles, &report)
        } else {
            for file in vectorFiles { file.run(&report) }
        }
        Terminal.output.line(json ? report.json : report.closingLine)
        if report.failures.count > 0 || report.passed == 0 { throw ExitCode(1) }
    }

    /// Runs what `path` is, or walks into it. Only a file that was named itself has to be of a known format.
    private func collect(_ path: String, isNamed: Bool, _ report: inout ConformanceReport, _ vectorFiles: inout [VectorFile]) throws {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure.usage("there is no \(path)")
        }
        if isFolder.boolValue {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            if JSONTestSuite.isOne(names) { return implementation == nil ? JSONTestSuite(path, names).run(&report) : () }
            for name in names where !name.hasPrefix(".") { try collect("\(path)/\(name)", isNamed: false, &report, &vectorFiles) }
            return
        }
        guard path.hasSuffix(".json"), let data = FileManager.default.contents(atPath: path) else {
            if isNamed { throw CommandFailure.usage("\(path) is not a JSON file") }
            return
        }
        if let file = try VectorFile(path, data) {
            vectorFiles.append(file)
        } else if let file = WycheproofFile(path, data) {
            if implementation == nil { file.run(&report) }
        } else if isNamed {
            throw CommandFailure.usage("\(path) is of no format this knows")
        }
    }
}
