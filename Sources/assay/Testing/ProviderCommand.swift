import ArgumentParser
import AssayTesting
import CommandProgram
import JWTCore
import Program

struct ProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Runs an OpenID provider for tests on 127.0.0.1, until the end of its standard input.",
        discussion: """
            The first line of the output is `issuer URL`. The tokens are for the audience client-1. Each line of the input is a command, and its answer is one line:
              token, token KID         an id_token under the current key, or under the key KID
              claims JSON              an id_token with these claims; null takes a claim away
              rotate, remove KID       publishes a new key, or KID no longer
              down, up                 answers with 503, or again with keys
              requests                 how often the keys were requested
            The keys are new in each run and end with it.
            Example: echo token | assay provider --for-tests
            """
    )

    @Flag(help: "Required: this provider signs every token that its standard input asks for. Never trust its keys in production.")
    var forTests = false

    func validate() throws {
        guard forTests else { throw ValidationError("this provider signs whatever it is told: say --for-tests") }
    }

    func run() throws {
        ProgramResources.require(threads: 8)
        let console: ProviderConsole
        do {
            console = try ProviderConsole()
        } catch {
            throw CommandFailure.unavailable("\(error)")
        }
        Terminal.error.line("for tests only: never trust the tokens of this issuer in production")
        Terminal.output.line("issuer \(console.issuer)")
        var lines = TokenLines(InputFile(), limit: ProviderConsole.maximumBytes)
        var block = TokenBatch()
        while try lines.next(into: &block) {
            for position in 0..<block.count {
                let isWhole = block[position].count <= ProviderConsole.maximumBytes
                Terminal.output.line(isWhole ? console.answer(to: String(copying: block[position])) : "the command is too long")
            }
        }
    }
}
