import ArgumentParser
import CommandProgram

/// The root command. Commands/ has the subcommands, Output/ their output.
@main
struct Assay: CommandProgram {
    static let configuration = CommandConfiguration(
        commandName: "assay",
        abstract: "Verifies JSON Web Tokens, strictly.",
        discussion: "Example: assay verify --keys jwks.json --issuer https://idp.example --audience client-1 < token.txt",
        version: version,
        subcommands: [VerifyCommand.self, InspectCommand.self, KeysCommand.self, ConformanceCommand.self] + networked + others + testing
    )

    /// The commands that need HTTP.
    private static var networked: [any ParsableCommand.Type] {
        #if HTTP
        [LoginCommand.self, SessionCommand.self, MFACommand.self]
        #else
        []
        #endif
    }

    /// The commands of the other executables: for the help.
    private static var others: [any ParsableCommand.Type] { [IDaaSCommand.self, ServeCommand.self, ConfigCommand.self] }

    /// The commands that make what tests verify.
    private static var testing: [any ParsableCommand.Type] { [SignCommand.self, ProveCommand.self, ProviderCommand.self] }

    static func needsLibcrypto(_ command: any ParsableCommand) -> Bool { !(command is InspectCommand) }

    static func main() async {
        await begin { arguments in try OtherProgram.take(arguments) }
    }
}
