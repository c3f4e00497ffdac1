import ArgumentParser
import CommandProgram
import IDaaSServer

struct IDaaSClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Applications that users log in to.",
        discussion: "Example: assay idaas client add --name Shop",
        subcommands: [Add.self, List.self, Set.self, Remove.self, RotateKey.self, WeChat.self, OneClick.self, Web.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Registers an application and prints its client id.",
            discussion: "Example: assay idaas client add --name Shop --no-registers-unknown-numbers")
        @OptionGroup var options: IDaaSOptions
        @Option(help: "The application's name.")
        var name: String
        @Option(help: "Its client id. Default: a generated one.")
        var id: String?
        @OptionGroup var settings: ClientSettingsOptions
        @OptionGroup var listing: Listing

        func run() async throws {
            var settings = ClientSettings()
            self.settings.change(&settings)
            let client = try await options.administer(.adminClientAdd) { [name, id, settings] services, trail in
                if let id { trail.note(client: id) }
                let client = try await services.administration.addClient(name: name, id: id, settings: settings)
                trail.note(client: client.id)
                return client
            }
            listing.show([client.row])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the applications.", discussion: "Example: assay idaas client list --json")
        @OptionGroup var options: IDaaSOptions
        @OptionGroup var listing: Listing

        func run() async throws {
            let clients = try await options.administer { try await $0.administration.allClients() }
            listing.show(clients.map(\.row))
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes an application's settings; a running server applies them within 5 s.",
            discussion: "Example: assay idaas client set S1ScicdI --no-registers-unknown-numbers --reveals-unknown-numbers")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @OptionGroup var settings: ClientSettingsOptions
        @OptionGroup var listing: Listing

        func validate() throws {
            guard !settings.isEmpty else { throw ValidationError("name a setting to change, such as --no-sms") }
        }

        func run() async throws {
            let client = try await options.administer(.adminClientSet) { [id, apply = settings.change] services, trail in
                trail.note(client: id)
                return try await services.administration.configure(id, apply)
            }
            listing.show([client.row])
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes an application and its sessions.", discussion: "Example: assay idaas client remove S1ScicdI")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String

        func run() async throws {
            try await options.administer(.adminClientRemove) { [id] services, trail in
                trail.note(client: id)
                try await services.administration.removeClient(id)
            }
        }
    }

    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key", abstract: "Gives an application a new key for X-signature, and prints its public half.",
            discussion: "Example: assay idaas client rotate-key S1ScicdI")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String

        func run() async throws {
            let client = try await options.administer(.adminClientRotateKey) { [id] services, trail in
                trail.note(client: id)
                return try await services.administration.rotateKey(of: id)
            }
            Terminal.output.write(client.signatureKey?.publicKey ?? "")
        }
    }
}

extension Client {
    var row: [(name: String, value: String?)] {
        [("client_id", id), ("name", name), ("created", Listing.date(created)), ("settings", settings.text)]
    }
}
