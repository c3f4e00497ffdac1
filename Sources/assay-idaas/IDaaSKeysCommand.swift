import ArgumentParser
import CommandProgram
import IDaaSServer

struct IDaaSKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Keys that sign id_tokens.",
        discussion: "Example: assay idaas keys rotate", subcommands: [List.self, Rotate.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the keys and their states.", discussion: "Example: assay idaas keys list")
        @OptionGroup var options: IDaaSOptions
        @OptionGroup var listing: Listing

        func run() async throws {
            let keys = try await options.administer { try await $0.keys.list() }
            listing.show(
                keys.map {
                    $0.row + [
                        ("published", Listing.date($0.published)), ("activated", Listing.date($0.activated)),
                        ("retired", Listing.date($0.retired)),
                    ]
                })
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes a new key, which starts to sign after one day, so that verifiers can fetch it first.",
            discussion: """
                Tokens of the old key stay valid until they expire. If a new key is already published, changes nothing and exits with 1.
                Example: assay idaas keys rotate
                """)
        @OptionGroup var options: IDaaSOptions
        @Flag(help: "Sign with the new key immediately. Verifiers that cache keys refuse its tokens until they fetch the keys again.")
        var now = false
        @OptionGroup var listing: Listing

        func run() async throws {
            if now {
                Terminal.error.line("verifiers that do not fetch keys for an unknown kid refuse new tokens until their next fetch")
            }
            let report = try await options.administer(.adminKeysRotate) { [now] services, trail in
                let report = try await services.keys.rotate(now: now)
                trail.note(key: report.key.id)
                return report
            }
            let signsFrom = Listing.date(report.signsFrom)
            listing.show([[("outcome", report.outcome.rawValue)] + report.key.row + [("signs_from", signsFrom)]])
            guard report.outcome == .unchanged else { return }
            throw CommandFailure(
                message: "Error: nothing changed: \(report.key.id) is already published and signs from \(signsFrom ?? "then") on; "
                    + "--now makes it sign immediately",
                exitCode: 1, code: "unchanged", isReported: listing.json)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a key immediately, which invalidates every token that it signed.",
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

extension KeySummary {
    fileprivate var row: [(name: String, value: String?)] { [("kid", id), ("alg", algorithm), ("state", state.rawValue)] }
}

struct IDaaSBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the database while the server runs.",
        discussion:
            "The copy does not contain the server's key and is useless without it.\nExample: assay idaas backup /backup/idaas.sqlite")
    @OptionGroup var options: IDaaSOptions
    @Argument(help: "The new file. An existing file is never replaced.", completion: .file()) var path: String

    func run() async throws {
        try await options.administer(.adminBackup) { [path] services, _ in try await services.administration.backUp(to: path) }
    }
}
