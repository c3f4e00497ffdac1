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

    /// Does something to the database, and nothing else: what is due in it is the server's to do, by the server's settings.
    func administer<Result>(_ body: (Services) async throws -> Result) async throws -> Result {
        do {
            // Nothing is sent from here, so that no gateway has to be configured.
            let configuration = try configuration()
            try configuration.checkValues()
            let assembly = ServiceAssembly(configuration: configuration, issuer: "", gateway: DevelopmentOutbox())
            let services = try assembly.services()
            try await services.check()
            return try await body(services)
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("\(error)")
        } catch {
            throw CommandFailure(message: "Error: \(error)", exitCode: 1)
        }
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
