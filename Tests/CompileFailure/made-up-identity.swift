// Nor is there another way to one: not even whoever has a token that was verified otherwise makes a UserInfo of it.
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
