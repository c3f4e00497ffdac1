import ArgumentParser
import Foundation
import JWTCore

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a token and prints its claims.",
        discussion: """
            Exit code 0: valid. 1: refused, with the code, the place and one sentence. 2: usage. 3: keys unavailable.
            Example: assay verify --issuer https://idp.example --audience client-1 < token.txt
            """
    )

    @Option(help: "The issuer (iss) that is required. Without --keys or --key, keys come from its discovery document.")
    var issuer: String?
    @Option(help: "A JWK Set, in a file or behind an https address.", completion: .file())
    var keys: String?
    @Option(help: "One public key: PEM, DER or a JWK, in a file.", completion: .file())
    var key: String?
    @Option(help: "An audience (aud) that is accepted. May be repeated.")
    var audience: [String] = []
    @Option(help: "An algorithm that is accepted. May be repeated. Default: all but HS256, HS384 and HS512.")
    var algorithm: [String] = []
    @Option(help: "Seconds by which clocks may differ.")
    var leeway: Int64 = 60
    @Option(help: "The moment to judge for, in seconds since 1970. Default: now.")
    var now: Int64?
    @Flag(name: .customLong("no-claims"), help: "Verify the signature alone and print the payload, whatever it is.")
    var noClaims = false
    @Flag(help: "Print one JSON document.")
    var json = false
    @Option(help: "Verify a file of tokens, one a line (- for standard input): prints `valid` or the code for each.", completion: .file())
    var batch: String?
    @Argument(help: "The token. - or nothing: standard input.")
    var token: String?

    func validate() throws {
        guard keys == nil || key == nil else { throw ValidationError("--keys and --key exclude each other") }
        guard keys != nil || key != nil || issuer != nil else { throw ValidationError("name the keys: --keys, --key or --issuer") }
        guard leeway >= 0 else { throw ValidationError("--leeway is not negative") }
        guard batch == nil || token == nil else { throw ValidationError("--batch takes no token beside it") }
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
        policy.leeway = leeway
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
            Terminal.output.line(judgement.json)
        } else if let error = judgement.error {
            Terminal.error.line(Terminal.error.styled("refused", .bad) + " " + error.description)
        } else {
            Terminal.output.line(judgement.text)
        }
        if judgement.error != nil { throw ExitCode(1) }
    }

    /// A verdict for each line as soon as it is there, so that the command can judge for another program over a pipe.
    private func verifyBatch(_ judge: TokenJudge, _ path: String) async throws {
        var lines = try TokenInput.lines(path)
        var isFirst = true, isRefused = false
        while let line = lines.next() {
            let judgement = await judge.judge(line)
            isRefused = isRefused || judgement.error != nil
            let verdict = judgement.error?.code.name ?? "valid"
            Terminal.output.write(json ? (isFirst ? "[" : ",") + judgement.json : verdict + "\n")
            isFirst = false
        }
        if json { Terminal.output.line(isFirst ? "[]" : "]") }
        if isRefused { throw ExitCode(1) }
    }
}
