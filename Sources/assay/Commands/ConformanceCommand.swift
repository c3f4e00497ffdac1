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
            Exit code 0: every case passes. 1: a case fails, the files have no case, or the kernels of --engine judged no signature.
            Example: assay conformance vectors
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
            try MemoryShortage.noting { try OtherImplementation(command: implementation).judge(files, &report) }
            report.skip(files.caches.map(\.count).reduce(0, +), because: "scenarios of key caches do not go to another implementation")
        } else {
            MemoryShortage.noting { files.run(&report) }
        }
        if report.failures.count > 0 { try MemoryShortage.check() }
        report.comparison = engine.map { EngineComparison($0, Engine.shadowCounts) }
        if json {
            Terminal.output.json(encoding: report.summary)
        } else {
            for line in report.closingLines { Terminal.output.line(line) }
        }
        if var failure = report.failure {
            failure.isReported = json
            throw failure
        }
    }

    func validate() throws {
        if engine != nil, implementation != nil {
            throw ValidationError("--engine chooses kernels of Assay, and --implementation has another program judge: give one of them")
        }
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

    /// Runs the file at `path`, or the files in the folder. Only a file that the user named must have a known format.
    private func collect(_ path: String, isNamed: Bool, _ report: inout ConformanceReport, _ files: inout VectorFiles) throws {
        if try Self.isFolder(path) {
            let names = try Self.names(inFolder: path)
            if JSONTestSuite.isOne(names) {
                return implementation == nil ? try JSONTestSuite(path, names).run(&report) : report.skip(because: Self.foreignFormat)
            }
            for name in names where !name.hasPrefix(".") { try collect("\(path)/\(name)", isNamed: false, &report, &files) }
            return
        }
        if isNamed { try InputFile.check(path) }
        guard path.hasSuffix(".json") else {
            if isNamed { throw CommandFailure.usage("\(path) is not a JSON file: its name does not end in .json") }
            return
        }
        let data = try InputFile(path: path).contents()
        if try Self.add(path, data, &files) { return }
        if let file = WycheproofFile(path, data) {
            if implementation == nil { MemoryShortage.noting { file.run(&report) } } else { report.skip(because: Self.foreignFormat) }
        } else if isNamed {
            throw CommandFailure.usage("\(path) is not a vector file of a known format")
        }
    }

    private static func add(_ path: String, _ data: [UInt8], _ files: inout VectorFiles) throws -> Bool {
        do {
            return try MemoryShortage.noting { try files.add(path, data) }
        } catch {
            // Keys of a valid file look invalid then.
            try MemoryShortage.check()
            throw error
        }
    }

    /// Counted once for each file or suite.
    private static let foreignFormat = "only cases of Assay's own format go to another implementation"

    private static func isFolder(_ path: String) throws(CommandFailure) -> Bool {
        guard let isFolder = Folder.isOne(path) else {
            let number = errno
            throw .system("cannot read \(path)", number)
        }
        return isFolder
    }

    private static func names(inFolder path: String) throws(CommandFailure) -> [String] {
        guard let names = Folder.names(in: path) else {
            let number = errno
            throw .system("cannot read \(path)", number)
        }
        return names
    }
}
