import ArgumentParser
import CommandProgram
import JWKSCache
import JWTCore

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Lists the keys of a set, or makes a key for tests.",
        discussion: """
            `assay keys PLACE` is `assay keys list PLACE`.
            Example: assay keys https://idp.example --json
            """,
        subcommands: [KeysListCommand.self, KeysNewCommand.self], defaultSubcommand: KeysListCommand.self
    )
}

struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the keys of a set, and says why a key is unusable.",
        discussion: "Example: assay keys list https://idp.example --json"
    )

    @Flag(help: "Show every fetch and every change until interrupted.")
    var watch = false
    @Flag(help: "Ask for a fresh copy, bypassing HTTP caches.")
    var refresh = false
    @Flag(help: "Print one JSON document.")
    var json = false
    @Argument(help: "A file, the https address of a JWK Set, or an issuer.", completion: .file())
    var place: String

    func validate() throws {
        guard !(watch && json) else { throw ValidationError("use either --watch or --json") }
    }

    func run() async throws {
        if watch, !CommandKeys.isURL(place) { try InputFile.check(place) }
        if watch { return try await KeyWatch(place, isForced: refresh).run() }
        switch try await CommandKeys.at(place, isForced: refresh) {
        case .fixed(let keys):
            if keys.keys.contains(where: { $0.unusableReason != nil }) { try MemoryShortage.check() }
            show(keys.keys, nil)
        case .remote(let keys):
            let status = keys.status
            show(status.keys, status)
        }
    }

    private func show(_ keys: [VerificationKey], _ status: KeySetStatus?) {
        if json { Terminal.output.json(KeyTable.json(keys, status)) } else { Terminal.output.write(KeyTable.text(keys, on: .output)) }
    }
}
