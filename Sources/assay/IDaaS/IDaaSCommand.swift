#if IDaaS
import ArgumentParser

struct IDaaSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idaas",
        abstract: "The reference identity provider: serves it and administers it.",
        discussion: """
            The administration works on the database, also beside a running server.
            Example: assay idaas serve --dev
            """,
        subcommands: [
            IDaaSServeCommand.self, IDaaSClientCommand.self, IDaaSUserCommand.self, IDaaSKeysCommand.self, IDaaSBackupCommand.self,
        ]
    )
}
#endif
