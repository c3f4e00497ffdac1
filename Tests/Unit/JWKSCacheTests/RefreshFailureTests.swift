import JWKSCache
import Testing

@Suite struct RefreshFailureTests {
    @Test(arguments: RequestFailure.Reason.allCases)
    func theCodeOfAFetchNamesTheReason(_ reason: RequestFailure.Reason) {
        #expect(RefreshFailure.fetch(RequestFailure(reason)).code == "fetch_\(reason.rawValue)")
    }
}
