import JWKSCache
import Testing

struct RequestFailureTests {
    /// An answer that the server gave, or a fault of the request, is the same the next time.
    @Test(arguments: RequestFailure.Reason.allCases)
    func onlyFailuresOfTheNetworkAreRetryable(_ reason: RequestFailure.Reason) {
        let passing: Set<RequestFailure.Reason> = [.forbiddenAddress, .unresolvedName, .connection, .proxy, .timedOut]
        #expect(RequestFailure(reason).isRetryable == passing.contains(reason))
    }
}
