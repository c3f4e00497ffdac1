import ArgumentParser
import JWTCore

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Lists the keys of a set, the unusable ones with their reason.",
        discussion: "Example: assay keys https://idp.example --json"
    )

    @Flag(help: "Look again every 10 seconds and tell what changed, until interrupted.")
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
        var keys = try await KeyDocument.keys(at: place, isFresh: refresh)
        Terminal.output.write(json ? KeyTable.json(keys) : KeyTable.text(keys, on: .output))
        while watch {
            try await Task.sleep(for: .seconds(10))
            guard let latest = try? await KeyDocument.keys(at: place, isFresh: refresh) else {
                Terminal.error.line("keys_unavailable: \(place) cannot be read now")
                continue
            }
            Terminal.output.write(KeyTable.changes(from: keys, to: latest, on: .output))
            keys = latest
        }
    }
}
