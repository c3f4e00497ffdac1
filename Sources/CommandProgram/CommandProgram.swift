package import ArgumentParser
internal import COpenSSL
internal import JWTCore
internal import Program

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The root command of an executable.
package protocol CommandProgram: AsyncParsableCommand {
    /// Whether a command needs libcrypto's algorithms. Without them every key would look malformed.
    static func needsLibcrypto(_ command: any ParsableCommand) -> Bool
}

extension CommandProgram {
    /// The version of the programs.
    package static var version: String { "0.1.0" }

    package static func needsLibcrypto(_ command: any ParsableCommand) -> Bool { true }

    /// Reads the arguments and runs the command that they name. Ends the process with the codes of ``CommandFailure``.
    ///
    /// - Parameter before: is given the arguments first. What it throws ends the process.
    package static func begin(_ before: @Sendable ([String]) throws -> Void = { _ in }) async {
        var arguments: [String] = []
        do {
            arguments = try ProgramArguments.read()
            try before(arguments)
            // A key set may still be asking its source when the command has its answer.
            if MemoryShortage.noting({ cossl_outlive_exit() }) != 1 { try MemoryShortage.check() }
            // A write to a closed pipe or connection then fails with EPIPE. Terminal ends the command if it was standard output.
            signal(SIGPIPE, SIG_IGN)
            try CommandOptions.refuseRepeated(in: arguments, of: self)
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

    /// What a command needs beside its arguments.
    private static func checkSurroundings(for command: any ParsableCommand) throws(CommandFailure) {
        if let fault = Engine.fault { throw .usage(fault) }
        guard !needsLibcrypto(command) || MemoryShortage.noting({ Libcrypto.isUsable }) else {
            try MemoryShortage.check()
            throw .keysUnavailable(Libcrypto.sentence)
        }
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
        if CommandOptions.asksOnlyForText(arguments, of: self) {
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
        let text = CommandOptions.corrected(fullMessage(for: error), arguments, of: self)
        let reason = text.prefix { $0 != "\n" }
        return CommandFailure(
            message: text, exitCode: 2, code: "usage", reason: String(reason.hasPrefix("Error: ") ? reason.dropFirst(7) : reason))
    }
}
