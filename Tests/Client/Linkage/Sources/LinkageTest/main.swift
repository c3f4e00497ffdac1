import JWTCore

// Uses enough of the library that the linker keeps all of it.
let keys = try KeySet(jwks: #"{"keys":[]}"#)
let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
do {
    print(try verifier.verify("e30.e30.e30").issuer ?? "")
} catch {
    print(error.code.name)
}
