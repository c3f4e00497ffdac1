import ArgumentParser
import COpenSSL
import Foundation
import JWTCore
import Program

/// The root command. Commands/ has the subcommands, Output/ their output.
@main
struct Assay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assay",
        abstract: "Verifies JSON Web Tokens, strictly.",
        discussion: "Example: assay verify --keys jwks.json --issuer https://idp.example --audience client-1 < token.txt",
        version: "0.1.0",
        subcommands: [VerifyCommand.self, InspectCommand.self, KeysCommand.self, ConformanceCommand.self] + networked + testing
    )

    /// The commands that need HTTP or the server.
    private static var networked: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = []
        #if HTTP
        commands += [LoginCommand.self, SessionCommand.self, MFACommand.self]
        #endif
        #if IDaaS
        commands.append(IDaaSCommand.self)
        #endif
        #if Gateway
        commands += [ServeCommand.self, ConfigCommand.self]
        #endif
        return commands
    }

    /// The commands that make what tests verify.
    private static var testing: [any ParsableCommand.Type] { [SignCommand.self, ProviderCommand.self] }

    static func main() async {
        // A key set may still be asking its source when the command has its answer.
        cossl_outlive_exit()
        // A write to a closed pipe or connection then fails with EPIPE. Terminal ends the command if it was standard output.
        signal(SIGPIPE, SIG_IGN)
        var arguments: [String] = []
        do {
            arguments = try ProgramArguments.read()
            try CommandOptions.refuseRepeated(in: arguments)
            var command = try parseAsRoot(arguments)
            try checkSurroundings(for: command)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            leave(for: error, arguments)
        }
    }

    /// What a command needs beside its arguments. Without libcrypto's algorithms every key would look malformed; `inspect` needs none.
    private static func checkSurroundings(for command: any ParsableCommand) throws(CommandFailure) {
        if let fault = Engine.fault { throw .usage(fault) }
        guard command is InspectCommand || Libcrypto.isUsable else { throw .keysUnavailable(Libcrypto.sentence) }
    }

    /// Exits with the codes of ``CommandFailure``. The argument parser also reports help and the version as errors, with exit code 0.
    private static func leave(for error: any Error, _ arguments: [String]) -> Never {
        if let code = error as? ExitCode { exit(withError: code) }
        guard exitCode(for: error) != .success else { explain(fullMessage(for: error), arguments) }
        let failure = failure(for: error, arguments)
        Terminal.error.line(printableLines(failure.message))
        if !failure.isReported, CommandOptions.asksForJSON(arguments) { Terminal.output.json(failure.document) }
        exit(withError: ExitCode(failure.exitCode))
    }

    /// Prints what the argument parser would print with exit code 0: help, the version, a completion script. Only who asks for nothing else
    /// gets 0: a script that puts a token behind `verify` would take the exit code of `--help` for the verdict.
    private static func explain(_ text: String, _ arguments: [String]) -> Never {
        if CommandOptions.asksOnlyForText(arguments) {
            Terminal.output.line(text)
            exit(withError: ExitCode.success)
        }
        Terminal.error.line(printableLines(text))
        let asked = CommandOptions.wordForText(in: arguments)
        let failure = CommandFailure.usage(asked.map { "\($0) stands alone behind its command" } ?? "name a command")
        Terminal.error.line(printableLines(failure.message))
        if CommandOptions.asksForJSON(arguments) { Terminal.output.json(failure.document) }
        exit(withError: ExitCode(failure.exitCode))
    }

    private static func failure(for error: any Error, _ arguments: [String]) -> CommandFailure {
        if let fault = error as? ProgramArguments.Fault { return .usage(fault.description) }
        // The argument parser's own errors, and those of `validate()`, have the exit code of sysexits(3) for wrong usage.
        guard exitCode(for: error) == .validationFailure else { return CommandFailure(error) }
        let text = CommandOptions.corrected(fullMessage(for: error), arguments)
        let reason = text.prefix { $0 != "\n" }
        return CommandFailure(
            message: text, exitCode: 2, code: "usage", reason: String(reason.hasPrefix("Error: ") ? reason.dropFirst(7) : reason))
    }
}
