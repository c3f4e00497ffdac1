import ArgumentParser
import CommandProgram
import Foundation
import HTTPEdge
import IDaaSServer
import Program

struct IDaaSServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the reference identity provider until a signal ends it.",
        discussion: """
            On SIGTERM or SIGINT it answers the requests in progress and ends.
            Example: assay idaas serve --dev --client demo
            """
    )

    @OptionGroup var options: IDaaSOptions
    @Option(help: ArgumentHelp("host:port; port 0 selects a free port. Default: 127.0.0.1:8800.", valueName: "address"))
    var listen: String?
    @Option(help: ArgumentHelp("The origin that clients use for the server.", valueName: "url"))
    var publicURL: String?
    @Option(help: ArgumentHelp("The certificate chain, PEM.", valueName: "file"), completion: .file())
    var tlsCert: String?
    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?
    @Flag(help: "A proxy in front terminates TLS: plain HTTP off loopback is allowed. Requires --public-url and --trusted-proxy.")
    var behindProxy = false
    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "A proxy whose X-Forwarded-For is trusted: an address or a block such as 10.0.0.0/8. May be repeated.",
            valueName: "address"))
    var trustedProxies: [String] = []
    @Flag(help: "Simulate WeChat, the carriers and Aliyun on this listener, for --client too. Loopback only.")
    var simulators = false
    @Option(name: .customLong("client"), help: ArgumentHelp("Register this client if it does not exist.", valueName: "id"))
    var client: String?

    func run() async throws {
        ProgramResources.requireForServer(eventLoops: EventLoops.count)
        let server: ReferenceServer
        do {
            let configuration = try configuration()
            server = try await ReferenceServer(configuration: configuration)
            try await register(on: server, configuration)
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("\(error)")
        } catch let error as DatabaseFailure {
            throw CommandFailure.usage("\(error)")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure.ofDatabase(error) ?? .usage(CommandFailure.sentence(forAdministration: error))
        }
        try await server.run { ready in
            Terminal.output.line("ready \(ready.url) issuer \(ready.issuer)")
            guard let token = ready.developmentToken else { return }
            Terminal.output.line("development token \(token)")
            Terminal.output.line("messages: curl -H 'X-Assay-Dev: \(token)' \(ready.url)/__dev/outbox")
        }
    }

    private func configuration() throws -> ServerConfiguration {
        var configuration = try options.configuration()
        if let listen { configuration.listen = listen }
        if let publicURL { configuration.publicURL = publicURL }
        if let tlsCert { configuration.tls.certificate = tlsCert }
        if let tlsKey { configuration.tls.key = tlsKey }
        if behindProxy { configuration.proxy.behind = true }
        if !trustedProxies.isEmpty { configuration.proxy.trusted = trustedProxies }
        if simulators { configuration.simulators = true }
        return configuration
    }

    private func register(on server: ReferenceServer, _ configuration: ServerConfiguration) async throws {
        guard let client, try await server.services.clients.find(client) == nil else { return }
        do {
            try await configuration.administrationAudit(server.services).record(.adminClientAdd) { trail in
                trail.note(client: client)
                _ = try await server.services.administration.addClient(name: client, id: client)
                if simulators { try await server.services.administration.useSimulators(for: client) }
            }
        } catch AdministrationFailure.clientExists {}
    }
}
