import ArgumentParser
import CommandProgram
import JWTCore

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows header and claims of a token without verifying it.",
        discussion: "Anyone can make a token with the same content.\nExample: assay inspect < token.txt"
    )

    @Option(
        name: [.customLong("at"), .customLong("now")],
        help: ArgumentHelp("The time to compare dates with: a NumericDate, or RFC 3339. Default: now.", valueName: "time"),
        transform: TimeArgument.date)
    var time: NumericDate?
    @Flag(help: "Print one JSON document.")
    var json = false
    @Argument(help: "The token. Default, also -: standard input.")
    var token: String?

    func run() throws {
        let token = try TokenInput.token(token)
        let claims: UnverifiedClaims
        do {
            claims = try MemoryShortage.noting { () throws(VerificationError) in try UnverifiedClaims(reading: token.span) }
        } catch {
            try MemoryShortage.check()
            let wrapping = TokenWrapping(of: token.span).map { "; \($0.sentence)" } ?? ""
            if json { Terminal.output.json(TokenJudge.refusal(error, explanation: "\(error)\(wrapping)")) }
            throw CommandFailure(message: "unreadable \(error)\(wrapping)", exitCode: 1, code: error.code.name, isReported: json)
        }
        if json { printJSON(claims) } else { printText(claims) }
    }

    private func printJSON(_ claims: UnverifiedClaims) {
        let header = String(copying: claims.header.raw)
        let payload = String(copying: claims.value.raw)
        Terminal.output.json("{\"verified\":false,\"header\":\(header),\"claims\":\(payload)}")
    }

    private func printText(_ claims: UnverifiedClaims) {
        let output = Terminal.output
        output.line(output.styled("UNVERIFIED", .bad) + output.styled(" header", .bold))
        output.line(JSONWriter.pretty(claims.header, on: output))
        output.line(output.styled("UNVERIFIED", .bad) + output.styled(" claims", .bold))
        output.line(JSONWriter.pretty(claims.value, on: output))
        let now = time ?? SystemClock().now
        for name in Times.claims {
            guard let date = claims.value[name]?.date else { continue }
            output.line("\(output.styled(name, .name)) \(Times.words(date, now: now))")
        }
    }
}
