import ArgumentParser
import CommandProgram
import Gateway
import GatewayServer

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Checks configurations of assay serve, and makes gateways' files from them.",
        discussion: "Example: assay config check gateway.yaml",
        subcommands: [ConfigCheckCommand.self, ConfigGatewayCommand.self]
    )
}

struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Shows every fault of a configuration, with its line. Opens no socket and fetches nothing.",
        discussion: """
            The exit code is 0 for a configuration that assay serve would take, also with warnings, otherwise 2.
            Example: assay config check gateway.yaml
            """
    )

    @Argument(help: ArgumentHelp("The configuration, YAML.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        do throws(SettingsFailure) {
            let configuration = try ServiceConfiguration(file: file)
            for warning in try configuration.checkFiles() {
                Terminal.output.line(printableLines("\(place(warning)): warning: \(warning.text)"))
            }
            let decisions = configuration.decisions
            let counts = [
                counted(configuration.listeners.count, "listener", "listeners"),
                counted(decisions.providers.count, "provider", "providers"),
                counted(decisions.policies.count, "policy", "policies"), counted(decisions.routes.count, "route", "routes"),
            ]
            Terminal.output.line("\(file): \(counts.joined(separator: ", ")): no faults")
        } catch {
            // One line each, as compilers do.
            for fault in error.faults {
                Terminal.output.line(printableLines("\(place(fault)): \(fault.text)"))
            }
            throw ExitCode(2)
        }
    }

    private func counted(_ count: Int, _ one: String, _ several: String) -> String { "\(count) \(count == 1 ? one : several)" }

    private func place(_ fault: SettingsFault) -> String { fault.place.text(own: file) }
}
