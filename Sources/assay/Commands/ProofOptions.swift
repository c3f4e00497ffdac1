import ArgumentParser
import DPoP
import JWTCore

/// The DPoP proof that comes with a token, and the request that it was made for: options of `verify`.
struct ProofOptions: ParsableArguments {
    @Option(
        name: .customLong("dpop-proof"),
        help: ArgumentHelp("The token's DPoP proof (RFC 9449): the text or a file. Needs --method and --url.", valueName: "proof"),
        completion: .file())
    var proof: String?
    @Option(help: "The method of the request that the proof was made for.")
    var method: String?
    @Option(help: "The URL of the request that the proof was made for. Query and fragment do not count.")
    var url: String?

    func validate() throws {
        guard proof != nil || (method == nil && url == nil) else { throw ValidationError("--method and --url are for --dpop-proof") }
        guard proof == nil || (method != nil && url != nil) else { throw ValidationError("--dpop-proof needs --method and --url") }
    }

    /// The proof with its request; nil without the option.
    func presented() throws -> PresentedProof? {
        guard let proof, let method, let url else { return nil }
        return PresentedProof(text: try Self.text(proof), method: method, url: url)
    }

    /// A token has two dots and no slash; a file may be called so after `./`.
    private static func text(_ value: String) throws -> String {
        guard value.utf8.count(where: { $0 == UInt8(ascii: ".") }) != 2 || value.utf8.contains(UInt8(ascii: "/")) else { return value }
        guard let bytes = DescriptorBytes.read(path: value, upTo: 1 << 20) else {
            throw ValidationError("--dpop-proof: \(value.prefix(200)) is no proof, and no file that can be read")
        }
        return String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    }
}

/// A proof, and the request that it was made for.
struct PresentedProof: Sendable {
    let text: String
    let method: String
    let url: String
    private let verifier = ProofVerifier()

    /// What no single run of a command can check.
    static let unchecked = "not checked: whether the proof was used before (jti)"

    init(text: String, method: String, url: String) {
        self.text = text
        self.method = method
        self.url = url
    }

    /// Verifies the proof for a token that is bound to a key.
    ///
    /// - Throws: the codes of proofs.
    func verify(_ token: [UInt8], boundTo thumbprint: KeyThumbprint, now: NumericDate?) throws(VerificationError) {
        let token = String(decoding: token, as: UTF8.self)
        _ = try verifier.verify(text, method: method, url: url, accessToken: token, boundTo: thumbprint, now: now)
    }
}
