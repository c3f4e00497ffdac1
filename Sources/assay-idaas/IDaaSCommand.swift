import ArgumentParser

struct IDaaSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idaas",
        abstract: "Runs and administers the reference identity provider.",
        discussion: """
            Administration commands work on the database, also while a server runs.
            Example: assay idaas serve --dev
            """,
        subcommands: [
            IDaaSServeCommand.self, IDaaSClientCommand.self, IDaaSUserCommand.self, IDaaSStreamCommand.self, IDaaSKeysCommand.self,
            IDaaSAuditCommand.self, IDaaSBackupCommand.self, IDaaSMigrateCommand.self,
        ]
    )
}
