import ArgumentParser
import CommandProgram

/// The commands of the reference identity provider. `assay idaas` starts this program.
@main
struct AssayIDaaS: CommandProgram {
    static let configuration = CommandConfiguration(
        commandName: "assay", abstract: "Runs and administers the reference identity provider.", version: version, subcommands: commands)

    private static var commands: [any ParsableCommand.Type] {
        #if IDaaS
        [IDaaSCommand.self]
        #else
        []
        #endif
    }

    static func main() async { await begin() }
}
