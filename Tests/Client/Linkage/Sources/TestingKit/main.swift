import AssayTesting
import JWTCore

// The testing kit of a package without traits.
let provider = try LoopbackProvider()
let issuer = provider.issuer
let verifier = TokenVerifier(keys: try issuer.keySet, policy: .idToken(issuer: issuer.identifier, clientID: "client-1"))
print(try verifier.verify(issuer.idToken()).subject ?? "")
