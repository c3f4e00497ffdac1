#if IDaaS
import ArgumentParser
import Foundation
import IDaaSServer

struct IDaaSServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the reference identity provider until it is told to end.",
        discussion: """
            Ends on SIGTERM or SIGINT, when the requests under way are answered.
            Example: assay idaas serve --dev --client demo
            """
    )

    @OptionGroup var options: IDaaSOptions
    @Option(help: ArgumentHelp("host:port; port 0 is one that is free. Default: 127.0.0.1:8800.", valueName: "address"))
    var listen: String?
    @Option(help: ArgumentHelp("The origin under which clients know the server.", valueName: "url"))
    var publicURL: String?
    @Option(help: ArgumentHelp("The certificate chain, PEM.", valueName: "file"), completion: .file())
    var tlsCert: String?
    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?
    @Flag(help: "A proxy in front speaks TLS: plain HTTP off loopback is allowed. Wants --public-url and --trusted-proxy.")
    var behindProxy = false
    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "A proxy whose X-Forwarded-For is believed: an address or a block such as 10.0.0.0/8. For several, say it again.",
            valueName: "address"))
    var trustedProxies: [String] = []
    @Option(name: .customLong("client"), help: ArgumentHelp("Register this client, if it is not there.", valueName: "id"))
    var client: String?

    func run() async throws {
        let server: IDaaSServer
        do {
            let configuration = try configuration()
            server = try await IDaaSServer(configuration: configuration)
            try await register(on: server, configuration)
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("\(error)")
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
        return configuration
    }

    private func register(on server: IDaaSServer, _ configuration: ServerConfiguration) async throws {
        guard let client, try await server.services.clients.find(client) == nil else { return }
        do {
            try await configuration.administrationAudit(server.services).record(.adminClientAdd) { trail in
                trail.note(client: client)
                _ = try await server.services.administration.addClient(name: client, id: client)
            }
        } catch AdministrationFailure.clientExists {}
    }
}
#endif
