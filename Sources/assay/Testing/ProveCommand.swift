import ArgumentParser
import AssayTesting
import CommandProgram
import JWTCore

struct ProveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Makes a DPoP proof for tests.",
        discussion: """
            The proof is for one request with the access token on standard input. Its public key is in its header (RFC 9449).
            Example: assay prove --key client.jwk --url https://api.example/orders < token.txt
            """
    )

    @Option(help: "The client's private JWK, from `assay keys new`. A file that group or others may use is refused.", completion: .file())
    var key: String
    @Option(help: "The method of the request.")
    var method = "GET"
    @Option(help: "The URL of the request. Its query and fragment are left out.")
    var url: String
    @Option(help: "The server's nonce, from its field DPoP-Nonce.")
    var nonce: String?
    @Flag(help: "The request has no access token: it asks for one.")
    var noToken = false

    func run() throws {
        let key = try PrivateKeyFile.key(at: key)
        let token = noToken ? nil : try Self.token()
        do {
            let address = String(url.prefix { $0 != "?" && $0 != "#" })
            let proof = try key.proof(method: method, url: address, accessToken: token, nonce: nonce, issuedAt: SystemClock().now)
            Terminal.error.line("for tests only: this proof is signed with a key from a file")
            Terminal.output.line(proof)
        } catch let error as TestKeyError {
            throw CommandFailure.usage("\(error)")
        }
    }

    /// The largest access token in bytes.
    private static let limit = 65_536

    /// The token of standard input, without the end of its line.
    private static func token() throws(CommandFailure) -> String {
        let bytes = try InputFile().contents(upTo: limit)
        guard bytes.count <= limit else { throw .usage("the access token is larger than \(limit) bytes") }
        let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw .usage("standard input has no access token: for a request without one, use --no-token")
        }
        return text
    }
}
