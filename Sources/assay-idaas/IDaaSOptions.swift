import ArgumentParser
import CommandProgram
import Foundation
import IDaaSServer
import Program

/// The database and the settings file, for `serve` and for the administration commands.
struct IDaaSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The settings, as in Examples/idaas/idaas.yaml.", valueName: "file"), completion: .file())
    var config: String?
    @Option(
        help: ArgumentHelp(
            "The SQLite file, or the URL of a PostgreSQL database; only serve creates it. Default: from the settings, or idaas.sqlite.",
            valueName: "file"),
        completion: .file())
    var db: String?
    @Flag(
        name: .customLong("dev"),
        help: "Development: loopback only, messages are stored instead of sent, the server's key is stored beside the database.")
    var development = false

    /// The configuration from the file and these options. Not yet checked: `serve` adds more options, and administration does not listen.
    func configuration() throws -> ServerConfiguration {
        do {
            if let config { try InputFile.check(config) }
            var configuration = try config.map { try ServerConfiguration.unchecked(file: $0) } ?? ServerConfiguration()
            if let db { configuration.database = db }
            if development { configuration.development = true }
            return configuration
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure.usage(CommandFailure.sentence(for: error))
        }
    }

    /// Runs an action without an audit event. It starts no due database work: the server does that, with the server's settings.
    func administer<Result>(_ body: (Services) async throws -> Result) async throws -> Result {
        try await Self.reporting { try await body(services(configuration())) }
    }

    /// Runs an action and records it as an audit event, where the settings say.
    func administer<Result>(
        _ action: AuditAction, _ body: (Services, AuditTrail) async throws -> Result
    ) async throws -> Result {
        try await Self.reporting {
            let configuration = try configuration()
            let services = try await services(configuration)
            return try await configuration.administrationAudit(services).record(action) { try await body(services, $0) }
        }
    }

    /// Runs and records an action on a user; the event names the user.
    func administer<Result>(
        _ action: AuditAction, user: String, _ body: (Administration) async throws -> Result
    ) async throws -> Result {
        try await administer(action) { services, trail in
            await services.administration.note(user, on: trail)
            return try await body(services.administration)
        }
    }

    private func services(_ configuration: ServerConfiguration) async throws -> Services {
        try configuration.checkValues()
        // Administration sends no messages, so it needs no configured gateway.
        let services = Services(
            try ServiceEnvironment(configuration: configuration, issuer: "", opening: .existing, gateway: DevelopmentOutbox()))
        try await services.check()
        return services
    }

    /// Runs an action on a database, and gives each of its errors the exit code of a command.
    static func reporting<Result>(_ body: () async throws -> Result) async throws -> Result {
        // SQLite's page cache and its worker's heap come after the start, and in less space SQLite refuses now and then.
        ProgramResources.requireForClient()
        do {
            return try await body()
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("\(error)")
        } catch let error as DatabaseFailure {
            throw CommandFailure.usage("\(error)")
        } catch {
            // libcrypto that gets no memory looks like another key of the server.
            MemoryShortage.look()
            try MemoryShortage.check()
            throw CommandFailure.ofDatabase(error) ?? .failed(CommandFailure.sentence(forAdministration: error))
        }
    }
}

extension ServerConfiguration {
    func administrationAudit(_ services: Services) throws -> AdministrationAudit {
        AdministrationAudit(sink: try administrationSink(services.store) { Terminal.error.line($0) }, clock: services.clock)
    }
}

/// The output of a command: readable lines with escaped values, or one JSON document.
struct Listing: ParsableArguments {
    @Flag(help: "Print one JSON document.")
    var json = false

    /// - Parameter rows: the rows, each with its columns in the order of the output. A column without a value is left out.
    func show(_ rows: [[(name: String, value: String?)]]) {
        let rows = rows.map { row in row.compactMap { column in column.value.map { (name: column.name, value: $0) } } }
        let output = Terminal.output
        if json { return output.json(encoding: rows.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.name, $0.value) }) }) }
        for row in rows { Self.line(row) }
    }

    /// Writes one row as a readable line.
    static func line(_ row: [(name: String, value: String)]) {
        let output = Terminal.output
        output.line(row.map { "\(output.styled($0.name, .name))=\(printable($0.value))" }.joined(separator: "  "))
    }

    /// As 2026-11-21T08:00:00Z.
    static func date(_ instant: Timestamp?) -> String? {
        instant.map { Date(timeIntervalSince1970: Double($0.seconds)).formatted(.iso8601) }
    }
}
