#if HTTP
public import HTTPGuard
internal import JWKSCache

/// Sends the flows' requests. It always verifies certificates.
extension GuardedClient: FlowTransport {}
#endif
