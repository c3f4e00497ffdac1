import ArgumentParser
import JWTCore
import SelectiveDisclosure

/// What `verify` requires of a presentation of an SD-JWT, beside what it requires of the claims.
struct PresentationOptions: ParsableArguments {
    @Flag(
        name: .customLong("sd-jwt"),
        help: "Verify a presentation of an SD-JWT (RFC 9901) and print the claims with what it discloses. Name its typ with --type.")
    var isPresentation = false
    @Option(
        name: .customLong("kb-audience"),
        help: ArgumentHelp(
            "With --sd-jwt: require key binding for this audience. Without it, key binding is refused.", valueName: "audience"))
    var audience: String?
    @Option(
        name: .customLong("kb-nonce"),
        help: ArgumentHelp("With --kb-audience: the required nonce of the key binding, that of the request.", valueName: "nonce"))
    var nonce: String?

    func validate() throws {
        guard audience != "" else { throw ValidationError("--kb-audience must not be empty") }
        guard nonce != "" else { throw ValidationError("--kb-nonce must not be empty") }
        // A proof for no transaction is one that everybody who has seen it can show.
        guard (audience == nil) == (nonce == nil) else { throw ValidationError("--kb-audience and --kb-nonce belong together") }
        guard isPresentation || audience == nil else { throw ValidationError("--kb-audience needs --sd-jwt") }
    }

    /// - Parameter claims: what is required of the claims.
    func policy(_ claims: ClaimsPolicy) -> PresentationPolicy {
        guard let audience else { return PresentationPolicy(claims: claims, keyBinding: .absent) }
        let binding = KeyBindingPolicy(audience: audience, nonce: nonce, leeway: claims.leeway)
        return PresentationPolicy(claims: claims, keyBinding: .required(binding))
    }
}
