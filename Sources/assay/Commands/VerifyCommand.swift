import ArgumentParser
import CommandProgram
import JWTCore
import JWTDecryption
import SelectiveDisclosure

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a token and prints its claims.",
        discussion: """
            Exit code 0: valid. 1: refused, with the code, the place and one sentence. 2: wrong usage, or a file that cannot be read or
            written. 3: no keys. 5: too little memory. 141: the reader of the output closed it.
            Example: assay verify --issuer https://idp.example --audience client-1 < token.txt
            Example: assay verify --issuer https://idp.example --audience client-1 --decryption-key client.jwk < token.txt
            Example: assay verify --keys jwks.json --batch tokens.txt --line-numbers --jobs 2
            Example: assay verify --keys jwks.json --sd-jwt --type dc+sd-jwt --kb-audience https://me.example --kb-nonce n-1 < shown.txt
            """
    )

    @OptionGroup var requirements: PolicyOptions
    @Option(help: "A JWK Set: a file or an https address.", completion: .file())
    var keys: String?
    @Option(help: "One public key: a file in PEM or DER, or a JWK.", completion: .file())
    var key: String?
    @Option(
        help: ArgumentHelp(
            """
            A private key that opens an encrypted token (JWE): a file with a JWK, a JWK Set, PEM or DER, which only its owner may use. \
            May be repeated. Then a token that is not encrypted is refused.
            """, valueName: "file"),
        completion: .file())
    var decryptionKey: [String] = []
    @Option(
        name: [.customLong("at"), .customLong("now")],
        help: ArgumentHelp("The time to verify for: a NumericDate, or RFC 3339. Default: now.", valueName: "time"),
        transform: TimeArgument.date)
    var time: NumericDate?
    @Flag(
        name: .customLong("no-claims"),
        help: "Verify only the signature and print the payload's exact bytes. Options that check claims are wrong usage beside it.")
    var noClaims = false
    @Flag(help: "Print one JSON document.")
    var json = false
    @OptionGroup var presentation: PresentationOptions
    @OptionGroup var proof: ProofOptions
    @OptionGroup var client: CertificateOptions
    @OptionGroup var batch: BatchOptions
    @Argument(help: "The token. Default, also -: standard input.")
    var token: String?

    func validate() throws {
        guard keys == nil || key == nil else { throw ValidationError("use either --keys or --key") }
        guard keys != nil || key != nil || requirements.issuer != nil else {
            throw ValidationError("name the keys: --keys, --key or --issuer")
        }
        guard batch.path == nil || proof.proof == nil else { throw ValidationError("use either --batch or --dpop-proof") }
        guard batch.path == nil || client.certificate == nil else { throw ValidationError("use either --batch or --certificate") }
        guard batch.path == nil || token == nil else { throw ValidationError("use either --batch or a token") }
        if presentation.isPresentation {
            guard batch.path == nil else { throw ValidationError("use either --batch or --sd-jwt") }
            guard !noClaims else { throw ValidationError("use either --no-claims or --sd-jwt") }
            guard decryptionKey.isEmpty else { throw ValidationError("use either --decryption-key or --sd-jwt") }
            guard proof.proof == nil else { throw ValidationError("use either --dpop-proof or --sd-jwt") }
            guard client.certificate == nil else { throw ValidationError("use either --certificate or --sd-jwt") }
        }
        let check =
            requirements.checkOfClaims(hasKeys: keys != nil || key != nil) ?? time.map { _ in "--at" }
            ?? proof.proof.map { _ in "--dpop-proof" } ?? client.certificate.map { _ in "--certificate" }
        if noClaims, let check {
            throw ValidationError("--no-claims checks no claims: use either it or \(check)")
        }
    }

    func run() async throws {
        guard !presentation.isPresentation else { return try await verifyPresentation() }
        let verifier = TokenVerifier(keys: try await commandKeys(), policy: requirements.policy)
        var judge = TokenJudge(verifier: verifier, now: time, checksClaims: !noClaims)
        judge.binding = PresentedBinding(proof: try proof.presented(), certificate: try client.presented())
        if !decryptionKey.isEmpty {
            judge.decryptor = Decryptor(keys: try decryptionKey.flatMap { try PrivateKeyFile.decryptionKeys(at: $0) })
        }
        if let path = batch.path {
            try await batch.verify(path, judge, isJSON: json, unchecked: noClaims ? nil : requirements.unchecked)
        } else {
            try await verifyOne(judge)
        }
    }

    private func commandKeys() async throws -> CommandKeys {
        if let key { return try await CommandKeys.at(key) }
        if let keys { return try await CommandKeys.at(keys) }
        return try await CommandKeys.ofIssuer(requirements.issuer ?? "")
    }

    private func verifyOne(_ judge: TokenJudge) async throws {
        let judgement = await judge.judgeExplaining(try TokenInput.token(token))
        if judgement.error != nil { try MemoryShortage.check() }
        if json {
            Terminal.output.json(judgement.json)
        } else if judgement.error != nil {
            Terminal.error.line(Terminal.error.styled("refused", .bad) + " " + printableLines(judgement.explanation))
        } else if let payload = judgement.payload {
            show(payload)
        } else {
            Terminal.output.line(judgement.text)
        }
        if let error = judgement.error { throw ExitCode(error.code == .keysUnavailable ? 3 : 1) }
        if !noClaims, let unchecked = requirements.unchecked { Terminal.error.line(unchecked) }
        if proof.proof != nil { Terminal.error.line(PresentedProof.unchecked) }
    }

    private func verifyPresentation() async throws {
        let keys = try await commandKeys()
        let verifier = PresentationVerifier(keys: keys, policy: presentation.policy(requirements.policy))
        let judge = PresentationJudge(verifier: verifier, keys: keys, now: time)
        let judgement = await judge.judge(try TokenInput.token(token, limit: verifier.limits.bytes))
        if judgement.error != nil { try MemoryShortage.check() }
        if json {
            Terminal.output.json(judgement.json)
        } else if judgement.error != nil {
            Terminal.error.line(Terminal.error.styled("refused", .bad) + " " + printableLines(judgement.explanation))
        } else {
            Terminal.output.line(judgement.text)
        }
        if let error = judgement.error { throw ExitCode(error.isRetryable ? 3 : 1) }
        if let unchecked = requirements.unchecked { Terminal.error.line(unchecked) }
    }

    /// A terminal gets the payload's text with controls escaped; a file or a pipe gets its exact bytes.
    private func show(_ payload: [UInt8]) {
        guard Terminal.output.isTerminal else { return Terminal.output.write(bytes: payload) }
        Terminal.output.line(printableLines(String(decoding: payload, as: UTF8.self)))
    }
}
