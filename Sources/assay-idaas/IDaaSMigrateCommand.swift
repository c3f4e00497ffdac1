import ArgumentParser
import CommandProgram
import IDaaSServer

struct IDaaSMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Moves an installation from a SQLite file to a PostgreSQL database.",
        discussion: """
            No server may serve from the file meanwhile. The file stays as it is. The servers of the database need the key that the file was
            made with.
            Example: assay idaas migrate --from idaas.sqlite --to postgresql:///idaas
            """)
    @Option(help: ArgumentHelp("The SQLite file.", valueName: "file"), completion: .file()) var from: String
    @Option(help: ArgumentHelp("The database, without records. A password can stand in a file (passfile=).", valueName: "url"))
    var to: String

    func validate() throws {
        guard PostgresStore.isURL(to) else { throw ValidationError("--to is the URL of a PostgreSQL database: postgresql://…") }
    }

    func run() async throws {
        let count = try await IDaaSOptions.reporting { [from, to] in try await StoreMove.run(from: from, to: to) }
        Terminal.output.line("moved \(count) records")
    }
}
