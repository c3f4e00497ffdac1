// The traits: ["HTTP"]. Arguments: an issuer on loopback and a token of it.

import HTTPGuard
import JWKSCache
import JWTCore

var configuration = GuardedClient.Configuration()
configuration.addresses = AddressPolicy(allowsLoopback: true)
configuration.allowsLoopbackHTTP = true
let issuer = CommandLine.arguments[1]
let keys = RemoteKeySet(.issuer(issuer), transport: try GuardedClient(configuration))
let verifier = RefreshingVerifier(keys: keys, policy: .idToken(issuer: issuer, clientID: "client-1"))
print(try await verifier.verify(CommandLine.arguments[2]).subject ?? "none")
