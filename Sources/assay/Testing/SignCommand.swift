import ArgumentParser
import AssayTesting
import CommandProgram
import JWTCore

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs a token for tests.",
        discussion: """
            The claims are signed as they are given, byte for byte, unless --lifetime adds dates.
            Example: assay sign --key test.jwk --lifetime 600 '{"iss":"https://idp.example","sub":"jane","aud":"client-1"}'
            """
    )

    /// The largest claims in bytes.
    private static let limit = 65_536

    @Option(help: "The private JWK, from `assay keys new`. A file that group or others may use is refused.", completion: .file())
    var key: String
    @Option(help: "The type of the token, its typ. An empty text leaves it out.")
    var type = "JWT"
    @Option(
        help: "Add iat, which is now, and exp, this many seconds later, where the claims have none.", transform: NumberArgument.int64)
    var lifetime: Int64?
    @Argument(help: "The claims, a JSON object. Default, also -: standard input.")
    var claims: String?

    func validate() throws {
        // A hundred years: the end of a longer lifetime would be refused as a mistake.
        guard (1...3_153_600_000).contains(lifetime ?? 1) else { throw ValidationError("--lifetime must be 1 to 3153600000 seconds") }
    }

    func run() throws {
        let key = try PrivateKeyFile.key(at: key)
        let text = try claimsText()
        let token = try MemoryShortage.asking { () throws(TestKeyError) in
            var members = try ClaimMembers(json: text)
            if let lifetime { members.limit(to: lifetime, from: SystemClock().now) }
            return try key.token(payload: lifetime == nil ? text : members.json, type: type.isEmpty ? nil : type)
        } otherwise: { error in
            .usage("\(error)")
        }
        Terminal.error.line("for tests only: this token is signed with a key from a file")
        Terminal.output.line(token)
    }

    /// The claims as they are given, without surrounding white space.
    private func claimsText() throws(CommandFailure) -> String {
        let bytes = if let claims, claims != "-" { Array(claims.utf8) } else { try InputFile().contents(upTo: Self.limit) }
        guard bytes.count <= Self.limit else { throw .usage("the claims are larger than \(Self.limit) bytes") }
        let text = bytes.drop(while: Self.isWhitespace).reversed().drop(while: Self.isWhitespace).reversed()
        guard let text = String(validating: text, as: UTF8.self) else { throw .usage("the claims are not UTF-8") }
        return text
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}

extension ClaimMembers {
    /// Adds `iat` and `exp` if they are absent.
    fileprivate mutating func limit(to lifetime: Int64, from now: NumericDate) {
        if self["iat"] == nil { self["iat"] = "\(now.seconds)" }
        if self["exp"] == nil { self["exp"] = "\(now.seconds + lifetime)" }
    }
}
