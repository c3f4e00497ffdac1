#if IDaaS
import ArgumentParser
import Foundation
import IDaaSServer

/// Which database, and by which settings: common to serving and administering.
struct IDaaSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The settings, as in Examples/idaas/idaas.yaml.", valueName: "file"), completion: .file())
    var config: String?
    @Option(help: ArgumentHelp("The SQLite file. Default: the settings', else idaas.sqlite.", valueName: "file"), completion: .file())
    var db: String?
    @Flag(
        name: .customLong("dev"),
        help: "Development: loopback only, messages are kept instead of sent, the server's key is made beside the database.")
    var development = false

    /// What the file and these options say. Not checked as a whole: `serve` has more to add, and administering listens nowhere.
    func configuration() throws -> ServerConfiguration {
        do {
            var configuration = try config.map { try ServerConfiguration.unchecked(file: $0) } ?? ServerConfiguration()
            if let db { configuration.database = db }
            if development { configuration.development = true }
            return configuration
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }

    /// Looks at the database. What is due in it is the server's to do, by the server's settings.
    func administer<Result>(_ body: (Services) async throws -> Result) async throws -> Result {
        try await reporting { try await body(services(configuration())) }
    }

    /// Does something to the database, and leaves an event of it in the audit file of the settings.
    func administer<Result>(
        _ action: AuditAction, _ body: (Services, AuditTrail) async throws -> Result
    ) async throws -> Result {
        try await reporting {
            let configuration = try configuration()
            let services = try await services(configuration)
            return try await configuration.administrationAudit(services).record(action) { try await body(services, $0) }
        }
    }

    /// The same to a user, who is in the event.
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
        // Nothing is sent from here, so that no gateway has to be configured.
        let services = try ServiceAssembly(configuration: configuration, issuer: "", gateway: DevelopmentOutbox()).services()
        try await services.check()
        return services
    }

    private func reporting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("\(error)")
        } catch {
            throw CommandFailure(message: "Error: \(error)", exitCode: 1)
        }
    }
}

extension ServerConfiguration {
    func administrationAudit(_ services: Services) throws -> AdministrationAudit {
        AdministrationAudit(sink: try administrationSink { Terminal.error.line($0) }, clock: services.clock)
    }
}

/// What a command prints: lines for a person, or one JSON document.
struct Listing {
    let isJSON: Bool

    /// - Parameter columns: the members of a row, in the order a reader wants them; rows of one value each are fine.
    func show(_ rows: [[(name: String, value: String?)]]) {
        if isJSON { return Terminal.output.line(Self.json(rows)) }
        for row in rows {
            Terminal.output.line(
                row.compactMap { column in column.value.map { "\(Terminal.output.styled(column.name, .name))=\($0)" } }.joined(
                    separator: "  "))
        }
    }

    private static func json(_ rows: [[(name: String, value: String?)]]) -> String {
        let objects = rows.map { row in
            Dictionary(uniqueKeysWithValues: row.compactMap { column in column.value.map { (column.name, $0) } })
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(objects)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// As 2026-11-21T08:00:00Z.
    static func date(_ instant: Timestamp?) -> String? {
        instant.map { Date(timeIntervalSince1970: Double($0.seconds)).formatted(.iso8601) }
    }
}
#endif
