import JWKSCache
import Testing

@Suite struct RefreshFailureTests {
    @Test(arguments: TransportFailure.Reason.allCases)
    func theCodeOfAFetchNamesTheReason(_ reason: TransportFailure.Reason) {
        #expect(RefreshFailure.fetch(TransportFailure(reason)).code == "fetch_\(reason.rawValue)")
    }
}
