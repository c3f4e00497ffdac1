import ArgumentParser
import CommandProgram
import JWTCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: """
            Runs test vectors: Assay's own files of tokens, JWK Sets, key caches, status lists, security events, DPoP proofs, \
            encrypted tokens, presentations of SD-JWTs and signed documents; Wycheproof's; JSONTestSuite folders.
            """,
        discussion: """
            Exit code 0 if every case passes, otherwise 1. Example: assay conformance vectors
            To judge another verifier by the same vectors: assay conformance --implementation 'python3 vectors/adapters/pyjwt.py' vectors
            """
    )

    @Option(help: "A command that reads the cases of Assay's own files as JSON lines and answers {id, verdict}.")
    var implementation: String?
    @Option(
        help: "Verify with the kernels of this tier (\(tierNames)) and compare each verdict with OpenSSL's.", transform: Self.tier)
    var engine: EngineTier?
    @Flag(help: "Print one JSON document.")
    var json = false
    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]

    func run() throws {
        if let engine { try force(engine) }
        var report = ConformanceReport(printsFailures: !json)
        var files = VectorFiles()
        for path in paths { try collect(path, isNamed: true, &report, &files) }
        if let implementation {
            try OtherImplementation(command: implementation).judge(files, &report)
            report.skip(files.caches.map(\.count).reduce(0, +), because: "scenarios of key caches do not go to another implementation")
        } else {
            files.run(&report)
        }
        if !json, let engine { Terminal.output.line(Self.line(engine)) }
        if json {
            Terminal.output.json(encoding: report.summary)
        } else {
            for line in report.skipLines + [report.closingLine] { Terminal.output.line(line) }
        }
        if let reason = report.reasonOfEmptiness {
            throw CommandFailure(message: "Error: \(reason)", exitCode: 1, code: "nothing_to_run", reason: reason, isReported: json)
        }
        if report.failures.count > 0 || Engine.shadowCounts.contradicted > 0 { throw ExitCode(1) }
        // If the kernels pass everything on to OpenSSL, no contradiction can occur.
        if let engine, (Engine.shadowCounts.compared > 0) != (engine > .openssl) { throw ExitCode(1) }
    }

    /// Prepares every key for the kernels before its first use, and compares each of their verdicts with OpenSSL's.
    private func force(_ tier: EngineTier) throws {
        guard Engine.force(tier) == tier else { throw CommandFailure.usage("the \(tier.name) tier does not run on this machine") }
        KeyTables.shared.isEager = true
        Engine.shadowInterval = 1
    }

    private static func tier(_ name: String) throws -> EngineTier {
        guard let tier = EngineTier(name: name) else { throw ValidationError("unknown tier; the tiers are \(tierNames)") }
        return tier
    }

    private static let tierNames = EngineTier.allCases.map(\.name).joined(separator: ", ")

    private static func line(_ tier: EngineTier) -> String {
        let counts = Engine.shadowCounts
        return "\(tier.name): \(counts.compared) verdicts by kernels, OpenSSL contradicted \(counts.contradicted)"
    }

    /// Runs the file at `path`, or the files in the folder. Only a file that the user named must have a known format.
    private func collect(_ path: String, isNamed: Bool, _ report: inout ConformanceReport, _ files: inout VectorFiles) throws {
        guard let isFolder = Folder.isOne(path) else { throw CommandFailure.system("cannot read \(path)", ENOENT) }
        if isFolder {
            let names = try Self.names(inFolder: path)
            if JSONTestSuite.isOne(names) {
                return implementation == nil ? JSONTestSuite(path, names).run(&report) : report.skip(because: Self.foreignFormat)
            }
            for name in names where !name.hasPrefix(".") { try collect("\(path)/\(name)", isNamed: false, &report, &files) }
            return
        }
        if isNamed { try InputFile.check(path) }
        guard path.hasSuffix(".json"), let data = DescriptorBytes.read(path: path) else {
            if isNamed { throw CommandFailure.usage("\(path) is not a readable JSON file") }
            return
        }
        if try files.add(path, data) { return }
        if let file = WycheproofFile(path, data) {
            if implementation == nil { file.run(&report) } else { report.skip(because: Self.foreignFormat) }
        } else if isNamed {
            throw CommandFailure.usage("\(path) is not a vector file of a known format")
        }
    }

    /// Counted once for each file or suite.
    private static let foreignFormat = "only cases of Assay's own format go to another implementation"

    private static func names(inFolder path: String) throws(CommandFailure) -> [String] {
        guard let names = Folder.names(in: path) else {
            throw .error("cannot read \(path): \(path): \(CommandFailure.systemReason(errno))", exitCode: 2, code: "file")
        }
        return names
    }
}
