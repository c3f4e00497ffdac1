import ArgumentParser
import CommandProgram
import Gateway
import GatewayServer
import HTTPEdge
import Program

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Decides about requests for nginx, HAProxy, Traefik, Caddy, APISIX and Envoy, until a signal ends it.",
        discussion: """
            On SIGHUP, and when the file changes, it reads its configuration again. On SIGTERM or SIGINT it answers the requests in \
            progress and ends.
            Example: assay serve --config gateway.yaml
            """
    )

    @Option(help: ArgumentHelp("The configuration, YAML.", valueName: "file"), completion: .file())
    var config: String

    func run() async throws {
        ProgramResources.requireForServer(eventLoops: EventLoops.count)
        let server: GatewayServer
        do {
            server = try GatewayServer(file: config)
        } catch let failure as SettingsFailure {
            throw CommandFailure.usage("\(config) has faults\n" + failure.faults.map { "\($0)" }.joined(separator: "\n"))
        } catch let failure as GatewayServer.StartFailure {
            throw CommandFailure.unavailable("\(failure)")
        }
        try await server.run { ready in
            for (name, places) in ready.listeners.sorted(by: { $0.key < $1.key }) {
                for place in places { Terminal.output.line("ready \(name) \(place)") }
            }
            for place in ready.administration { Terminal.output.line("ready administration \(place)") }
        }
    }
}
