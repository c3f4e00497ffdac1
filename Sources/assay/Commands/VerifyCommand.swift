import ArgumentParser
import Foundation
import JWTCore

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a token and prints its claims.",
        discussion: """
            Exit code 0: valid. 1: refused, with the code, the place and one sentence. 2: wrong usage, or a file that cannot be read or
            written. 3: no keys. 141: the reader of the output closed it.
            Example: assay verify --issuer https://idp.example --audience client-1 < token.txt
            """
    )

    @Option(help: "The required issuer (iss). Without --keys or --key, its discovery document names the keys.")
    var issuer: String?
    @Option(help: "A JWK Set: a file or an https address.", completion: .file())
    var keys: String?
    @Option(help: "One public key: a file in PEM or DER, or a JWK.", completion: .file())
    var key: String?
    @Option(help: "An accepted audience (aud). May be repeated.")
    var audience: [String] = []
    @Option(help: "An accepted algorithm. May be repeated. Default: all except HS256, HS384 and HS512.")
    var algorithm: [String] = []
    @Option(help: "The permitted clock difference in seconds.")
    var leeway: Int64 = 60
    @Option(help: "The time to verify for, in seconds since 1970. Default: now.")
    var now: Int64?
    @Flag(name: .customLong("no-claims"), help: "Verify only the signature and print the payload's exact bytes.")
    var noClaims = false
    @Flag(help: "Print one JSON document.")
    var json = false
    @Option(help: "Verify a file of tokens, one per line (- for standard input): prints `valid` or the code for each.", completion: .file())
    var batch: String?
    @Argument(help: "The token. Default, also -: standard input.")
    var token: String?

    func validate() throws {
        guard keys == nil || key == nil else { throw ValidationError("use either --keys or --key") }
        guard keys != nil || key != nil || issuer != nil else { throw ValidationError("name the keys: --keys, --key or --issuer") }
        guard leeway >= 0 else { throw ValidationError("--leeway must not be negative") }
        guard batch == nil || token == nil else { throw ValidationError("use either --batch or a token") }
        for name in algorithm where SignatureAlgorithm(name: name) == nil { throw ValidationError("unknown algorithm \(name)") }
    }

    func run() async throws {
        let verifier = TokenVerifier(keys: try await commandKeys(), policy: policy)
        let judge = TokenJudge(verifier: verifier, now: now.map { NumericDate(seconds: $0) }, checksClaims: !noClaims)
        if let batch {
            try await verifyBatch(judge, batch)
        } else {
            try await verifyOne(judge)
        }
    }

    private var policy: ClaimsPolicy {
        var policy = ClaimsPolicy()
        policy.issuers = issuer.map { [$0] } ?? []
        policy.audiences = audience
        policy.leeway = .seconds(leeway)
        if !algorithm.isEmpty { policy.algorithms = AlgorithmSet(algorithm.compactMap(SignatureAlgorithm.init(name:))) }
        return policy
    }

    private func commandKeys() async throws -> CommandKeys {
        if let key { return try await CommandKeys.at(key) }
        if let keys { return try await CommandKeys.at(keys) }
        return try await CommandKeys.ofIssuer(issuer ?? "")
    }

    private func verifyOne(_ judge: TokenJudge) async throws {
        let judgement = await judge.judge(try TokenInput.token(token))
        if json {
            Terminal.output.json(judgement.json)
        } else if let error = judgement.error {
            Terminal.error.line(Terminal.error.styled("refused", .bad) + " " + error.description)
        } else if let payload = judgement.payload {
            show(payload)
        } else {
            Terminal.output.line(judgement.text)
        }
        if judgement.error != nil { throw ExitCode(1) }
    }

    /// A terminal gets the payload's text with controls escaped; a file or a pipe gets its exact bytes.
    private func show(_ payload: [UInt8]) {
        guard Terminal.output.isTerminal else { return Terminal.output.write(bytes: payload) }
        Terminal.output.line(printableLines(String(decoding: payload, as: UTF8.self)))
    }

    /// Prints each verdict before it reads the next line, so that another program can use the command through pipes.
    private func verifyBatch(_ judge: TokenJudge, _ path: String) async throws {
        var lines = try TokenInput.lines(path)
        var isFirst = true, isRefused = false
        while let line = try lines.next() {
            let judgement = await judge.judge(line)
            isRefused = isRefused || judgement.error != nil
            let verdict = judgement.error?.code.name ?? "valid"
            Terminal.output.write(json ? (isFirst ? "[" : ",") + printableJSON(judgement.json) : verdict + "\n")
            isFirst = false
        }
        if json { Terminal.output.line(isFirst ? "[]" : "]") }
        if isRefused { throw ExitCode(1) }
    }
}
