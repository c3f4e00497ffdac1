#if IDaaS
import ArgumentParser
import IDaaSServer

struct IDaaSClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Applications that users log in to.",
        discussion: "Example: assay idaas client add --name Shop", subcommands: [Add.self, List.self, Remove.self, RotateKey.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Registers an application and prints its client id.",
            discussion: "Example: assay idaas client add --name Shop --no-registers-unknown-numbers")
        @OptionGroup var options: IDaaSOptions
        @Option(help: "What people call it.")
        var name: String
        @Option(help: "Its client id. Default: one is made.")
        var id: String?
        @Flag(inversion: .prefixedNo, help: "Make a user for a number that has none.")
        var registersUnknownNumbers = true
        @Flag(inversion: .prefixedNo, help: "Give a new session token at each refresh.")
        var rotatesSessionTokens = true
        @Flag(help: "MGF1 with SHA-1 in X-signature.")
        var signatureMaskSHA1 = false
        @Flag(help: "Print one JSON document.")
        var json = false

        func run() async throws {
            var settings = ClientSettings()
            settings.registersUnknownNumbers = registersUnknownNumbers
            settings.rotatesSessionTokens = rotatesSessionTokens
            settings.signatureMaskSHA1 = signatureMaskSHA1
            let client = try await options.administer { [name, id, settings] services in
                try await services.administration.addClient(name: name, id: id, settings: settings)
            }
            Listing(isJSON: json).show([client.row])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the applications.", discussion: "Example: assay idaas client list --json")
        @OptionGroup var options: IDaaSOptions
        @Flag(help: "Print one JSON document.")
        var json = false

        func run() async throws {
            let clients = try await options.administer { try await $0.administration.allClients() }
            Listing(isJSON: json).show(clients.map(\.row))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes an application with its sessions.", discussion: "Example: assay idaas client remove S1ScicdI")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String

        func run() async throws {
            try await options.administer { [id] in try await $0.administration.removeClient(id) }
        }
    }

    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key", abstract: "Gives an application a new key for X-signature, and prints its public half.",
            discussion: "Example: assay idaas client rotate-key S1ScicdI")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String

        func run() async throws {
            let client = try await options.administer { [id] in try await $0.administration.rotateKey(of: id) }
            Terminal.output.write(client.signatureKey?.publicKey ?? "")
        }
    }
}

extension Client {
    fileprivate var row: [(name: String, value: String?)] {
        [("client_id", id), ("name", name), ("created", Listing.date(created))]
    }
}
#endif
