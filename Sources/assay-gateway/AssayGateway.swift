import ArgumentParser
import CommandProgram

/// The commands of the gateway service. `assay serve` and `assay config` start this program.
@main
struct AssayGateway: CommandProgram {
    static let configuration = CommandConfiguration(
        commandName: "assay", abstract: "Decides about requests for gateways.", version: version, subcommands: commands)

    private static var commands: [any ParsableCommand.Type] {
        #if Gateway
        [ServeCommand.self, ConfigCommand.self]
        #else
        []
        #endif
    }

    static func main() async { await begin() }
}
