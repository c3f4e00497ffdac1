import Foundation
import HTTPGuard
import JWKSCache
import JWTCore
import JWTCoreFoundation
import Testing

/// What Foundation's users see of errors and dates.
@Suite struct FoundationTests {
    @Test(
        arguments: [
            (VerificationError.keysUnavailable, "keys_unavailable: there are no keys to verify with at the moment"),
            (RefreshFailure.status(500), "answered 500"), (RefreshFailure.fetch(RequestFailure(.timedOut)), "fetch_timed_out"),
            (RequestFailure(.connection, "connection refused"), "connection: connection refused"),
            (RequestFailure(.tls), "tls"),
        ] as [(any Error, String)])
    func localizedDescriptionsAreTheSentences(error: any Error, sentence: String) {
        #expect(error.localizedDescription == sentence)
    }

    @Test(arguments: [(0, 0, 0), (1_700_000_000, 500_000_000, 1_700_000_000.5), (-1, 0, -1)] as [(Int64, UInt32, Double)])
    func numericDatesAreDates(seconds: Int64, nanoseconds: UInt32, expected: Double) {
        #expect(Date(NumericDate(seconds: seconds, nanoseconds: nanoseconds)).timeIntervalSince1970 == expected)
    }
}
