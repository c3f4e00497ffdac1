// The traits: []. Arguments: a JWK and a token that is valid in March 2011.

import JWTCore

let verifier = TokenVerifier(keys: try KeySet(document: CommandLine.arguments[1]), policy: ClaimsPolicy())
let token = CommandLine.arguments[2]
print(try verifier.verify(token.utf8.span, now: NumericDate(seconds: 1_300_819_000)).issuer ?? "none")
do {
    _ = try verifier.verify(token)
} catch {
    print(error.code.name)
}
