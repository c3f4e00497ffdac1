import JWKSCache
import Testing

struct TransportFailureTests {
    /// An answer that the server gave, or a fault of the request, is the same the next time.
    @Test(arguments: TransportFailure.Reason.allCases)
    func onlyFailuresOfTheNetworkAreRetryable(_ reason: TransportFailure.Reason) {
        let passing: Set<TransportFailure.Reason> = [.forbiddenAddress, .unresolvedName, .connection, .timedOut]
        #expect(TransportFailure(reason).isRetryable == passing.contains(reason))
    }
}
