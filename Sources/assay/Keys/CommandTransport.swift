import CommandProgram
import JWKSCache
import Program

#if HTTP
import HTTPGuard
#endif

/// The HTTP transport of commands for key documents. The user names the addresses, so private networks and loopback are allowed, and plain
/// http only on loopback. Link-local addresses are refused, because cloud metadata services use them.
enum CommandTransport {
    static func make() throws -> any DocumentTransport {
        #if HTTP
        ProgramResources.requireForClient()
        var configuration = GuardedClient.Configuration()
        configuration.addresses = AddressPolicy(allowsLoopback: true, allowsPrivate: true)
        configuration.allowsLoopbackHTTP = true
        return try GuardedClient(configuration)
        #else
        throw CommandFailure.usage("this assay was built without the HTTP trait and cannot fetch keys: name a file")
        #endif
    }
}
