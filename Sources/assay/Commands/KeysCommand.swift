import ArgumentParser
import JWKSCache
import JWTCore

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Lists the keys of a set, the unusable ones with their reason.",
        discussion: "Example: assay keys https://idp.example --json"
    )

    @Flag(help: "Stay, and tell every fetch and every change, until interrupted.")
    var watch = false
    @Flag(help: "Ask for a fresh copy past every cache on the way.")
    var refresh = false
    @Flag(help: "Print one JSON document.")
    var json = false
    @Argument(help: "A file, the https address of a JWK Set, or an issuer.", completion: .file())
    var place: String

    func validate() throws {
        guard !(watch && json) else { throw ValidationError("--watch and --json exclude each other") }
    }

    func run() async throws {
        if watch { return try await KeyWatch(place, isForced: refresh).run() }
        switch try await CommandKeys.at(place, isForced: refresh) {
        case .fixed(let keys): Terminal.output.write(json ? KeyTable.json(keys.keys) : KeyTable.text(keys.keys, on: .output))
        case .remote(let keys):
            let status = keys.status
            Terminal.output.write(json ? KeyTable.json(status.keys, status) : KeyTable.text(status.keys, on: .output))
        }
    }
}
