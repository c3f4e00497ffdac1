#if IDaaS
import ArgumentParser
import IDaaSServer

struct IDaaSKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Keys that id_tokens are signed with.",
        discussion: "Example: assay idaas keys rotate", subcommands: [List.self, Rotate.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the keys and where each stands.", discussion: "Example: assay idaas keys list")
        @OptionGroup var options: IDaaSOptions
        @Flag(help: "Print one JSON document.")
        var json = false

        func run() async throws {
            let keys = try await options.administer { try await $0.keys.list() }
            Listing(isJSON: json).show(
                keys.map { key in
                    [
                        ("kid", key.id), ("alg", key.algorithm), ("state", key.state.rawValue), ("published", Listing.date(key.published)),
                        ("activated", Listing.date(key.activated)), ("retired", Listing.date(key.retired)),
                    ]
                })
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes a new key, which signs once verifiers have had a day to see it.",
            discussion: "What the old key signed stays good until it expires.\nExample: assay idaas keys rotate")
        @OptionGroup var options: IDaaSOptions
        @Flag(help: "Let the new key sign at once. Verifiers that keep keys for a while refuse its tokens until they look again.")
        var now = false

        func run() async throws {
            if now {
                Terminal.error.line("verifiers that do not look for an unknown kid refuse new tokens until they fetch the keys again")
            }
            try await options.administer(.adminKeysRotate) { [now] services, _ in try await services.keys.rotate(now: now) }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a key at once, and with it every token that it signed.",
            discussion: "Example: assay idaas keys revoke 2026-11-21-a1b2")
        @OptionGroup var options: IDaaSOptions
        @Argument(help: "The key's id.") var kid: String

        func run() async throws {
            try await options.administer(.adminKeysRevoke) { [kid] services, trail in
                trail.note(key: kid)
                try await services.keys.revoke(kid)
            }
        }
    }
}

struct IDaaSBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the database while the server runs.",
        discussion:
            "The server's key is not in it; without that key the copy is of no use.\nExample: assay idaas backup /backup/idaas.sqlite")
    @OptionGroup var options: IDaaSOptions
    @Argument(help: "The new file.", completion: .file()) var path: String

    func run() async throws {
        try await options.administer(.adminBackup) { [path] services, _ in try await services.administration.backUp(to: path) }
    }
}
#endif
