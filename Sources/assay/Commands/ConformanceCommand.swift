import ArgumentParser
import Foundation
import JWTCore

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
    @Option(help: "Judge by the kernels of this tier (openssl, tables, ifma), each verdict held against OpenSSL's.", transform: Self.tier)
    var engine: EngineTier?
    @Flag(help: "Print one JSON document.")
    var json = false
    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]

    func run() throws {
        if let engine { try force(engine) }
        var report = ConformanceReport(printsFailures: !json)
        var vectorFiles: [VectorFile] = []
        for path in paths { try collect(path, isNamed: true, &report, &vectorFiles) }
        if let implementation {
            try OtherImplementation(command: implementation).judge(vectorFiles, &report)
        } else {
            for file in vectorFiles { file.run(&report) }
        }
        if !json, let engine { Terminal.output.line(Self.line(engine)) }
        Terminal.output.line(json ? report.json : report.closingLine)
        if report.failures.count > 0 || report.passed == 0 || Engine.shadowCounts.contradicted > 0 { throw ExitCode(1) }
        // Kernels that left everything to OpenSSL would contradict nothing.
        if let engine, (Engine.shadowCounts.compared > 0) != (engine > .openssl) { throw ExitCode(1) }
    }

    /// Has every key prepared for the kernels before its first use, and every verdict of theirs compared.
    private func force(_ tier: EngineTier) throws {
        guard Engine.force(tier) == tier else { throw CommandFailure.usage("the \(tier.name) tier does not run on this machine") }
        KeyTables.shared.isEager = true
        Engine.shadowInterval = 1
    }

    private static func tier(_ name: String) throws -> EngineTier {
        guard let tier = EngineTier(name: name) else { throw ValidationError("the tiers are openssl, tables and ifma") }
        return tier
    }

    private static func line(_ tier: EngineTier) -> String {
        let counts = Engine.shadowCounts
        return "\(tier.name): \(counts.compared) verdicts by kernels, \(counts.contradicted) contradicted by OpenSSL"
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
