internal import JWKSCache
internal import JWTCore

extension GatewayConfiguration {
    /// Checks the protected resources, and the policies that name one.
    func checkResources() throws(ConfigurationFault) {
        let path: [ConfigurationFault.Step] = [.member("resources")]
        guard resources.count <= ProtectedResource.most else { throw ConfigurationFault(.resourceTooLarge, path) }
        var known: [ResourceLocation] = []
        for (place, resource) in resources.enumerated() {
            try resource.check(path + [.position(place)])
            guard let location = ResourceLocation(resource.identifier) else { continue }
            guard !known.contains(where: location.hasPlace) else {
                throw ConfigurationFault(.repeatedResource, path + [.position(place), .member("resource")])
            }
            known.append(location)
        }
        for (place, policy) in policies.enumerated() { try check(policy, [.member("policies"), .position(place)]) }
    }

    /// A policy whose providers take tokens for others alone would refuse every token.
    private func check(_ policy: GatewayPolicy, _ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard let resource = policy.resource else { return }
        guard resources.contains(where: { $0.identifier == resource }) else {
            throw ConfigurationFault(.unknownResource, path + [.member("resource")])
        }
        guard policy.resourceMetadata == nil else { throw ConfigurationFault(.repeatedMetadata, path + [.member("resourceMetadata")]) }
        let names = policy.requirement?.providerNames ?? []
        for (place, provider) in providers.enumerated() where names.contains(provider.name) {
            let audiences = provider.issuer.policy.audiences
            guard audiences.isEmpty || audiences.contains(resource) else {
                throw ConfigurationFault(.resourceIsNoAudience, [.member("providers"), .position(place), .member("audiences")])
            }
        }
    }
}

extension GatewayPolicy {
    private static let mostContextClasses = 16
    private static let longestAge = Duration.seconds(315_360_000)

    /// Checks what it asks of the user's authentication.
    func checkAuthentication(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        let age = path + [.member("maximumAuthenticationAge")], classes = path + [.member("contextClasses")]
        if let maximumAuthenticationAge {
            guard maximumAuthenticationAge >= .seconds(1), maximumAuthenticationAge <= Self.longestAge else {
                throw ConfigurationFault(.invalidAuthentication, age)
            }
        }
        guard contextClasses.count <= Self.mostContextClasses, contextClasses.allSatisfy({ $0.isScope && $0.utf8.count <= 256 }) else {
            throw ConfigurationFault(.invalidAuthentication, classes)
        }
        guard !asksForAuthentication || requirement.map({ !$0.admitsAnonymous }) ?? false else {
            throw ConfigurationFault(.authenticationWithoutToken, contextClasses.isEmpty ? age : classes)
        }
    }

    private var asksForAuthentication: Bool { maximumAuthenticationAge != nil || !contextClasses.isEmpty }
}
