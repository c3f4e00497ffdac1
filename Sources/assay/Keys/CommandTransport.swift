import JWKSCache

#if HTTP
import HTTPGuard
import JWKSHTTP
#endif

/// How commands reach key documents: the addresses are the user's own, on a machine of the user's, so private networks and loopback are
/// reached (plain http on loopback alone), and what only machines ask for is not.
enum CommandTransport {
    static func make() throws -> any DocumentTransport {
        #if HTTP
        var configuration = GuardedClient.Configuration()
        configuration.addresses = AddressPolicy(allowsLoopback: true, allowsPrivate: true)
        configuration.allowsLoopbackHTTP = true
        return try HTTPTransport(configuration)
        #else
        throw CommandFailure.usage("this assay was built without its HTTP trait and fetches nothing: name a file")
        #endif
    }
}
