// Unverified claims are not an identity: only a verification creates a UserInfo.
// Expected: cannot convert value of type 'UnverifiedClaims' to expected argument type 'VerifiedToken'
import IDaaSFlows
import JWTCore

func user(_ token: String, _ flows: Flows) async throws -> UserInfo? {
    #if VIOLATE
    return UserInfo(try UnverifiedClaims(reading: token.utf8.span), .standard)
    #else
    return try await flows.identity.userInfo(of: token).get()
    #endif
}
