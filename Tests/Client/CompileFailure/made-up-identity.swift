// A client cannot create a UserInfo, not even from a token that was verified in another way.
// Expected: 'UserInfo?' initializer is inaccessible due to 'internal' protection level
import IDaaSFlows
import JWTCore

func user(_ text: String, _ token: VerifiedToken, _ flows: Flows) async throws -> UserInfo? {
    #if VIOLATE
    return UserInfo(token, .standard)
    #else
    return try await flows.identity.userInfo(of: text).get()
    #endif
}
