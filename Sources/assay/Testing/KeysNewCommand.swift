import ArgumentParser
import AssayTesting
import CommandProgram
import JWTCore

struct KeysNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a key for tests: its private JWK in a new file, its public JWK Set on standard output.",
        discussion: """
            Only the owner can read the file. `assay sign` signs tokens with it. A key for production belongs into a key store.
            Example: assay keys new --algorithm ES256 test.jwk > test.jwks
            """
    )

    @Option(
        help: "The algorithm of the key, in any case.", completion: .list(AlgorithmArgument.names), transform: AlgorithmArgument.algorithm)
    var algorithm = SignatureAlgorithm.es256
    @Option(help: "The key's name, its kid. Default: a random one.")
    var kid: String?
    @Option(help: "The size of an RSA modulus in bits.")
    var bits = 2048
    @Argument(help: "The new file. An existing file is never replaced.", completion: .file())
    var file: String

    func validate() throws {
        guard (2048...8192).contains(bits) else { throw ValidationError("--bits must be 2048 to 8192") }
        guard (1...256).contains(kid?.utf8.count ?? 1) else { throw ValidationError("--kid must have 1 to 256 bytes") }
    }

    func run() throws {
        let (key, document) = try made()
        try PrivateKeyFile.write(document, to: file)
        Terminal.error.line(printable("for tests only: \(file) has the private key of \(key.keyID ?? "-")", upTo: 4_096))
        if algorithm.isSymmetric { Terminal.error.line("\(algorithm.name) has no public key: a verifier needs this file itself") }
        Terminal.output.json(TestKey.jwks(of: [key]))
    }

    private func made() throws(CommandFailure) -> (TestKey, String) {
        try MemoryShortage.asking { () throws(TestKeyError) in
            let name = (0..<8).map { _ in "abcdefghjkmnpqrstuvwxyz23456789".randomElement().map(String.init) ?? "a" }.joined()
            let key = try TestKey(algorithm, keyID: kid ?? name, bits: bits)
            return (key, try key.privateJWK)
        } otherwise: { error in
            .usage("\(error)")
        }
    }
}
