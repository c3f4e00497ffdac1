// The same tokens through jwt-kit: what it asks of the heap and of reference counting, and its time. It is asynchronous, so the
// whole process is counted; the least of several rounds is its own.
//   swift run -c release --package-path Benchmarks/jwtkit

import CCounts
import Fixtures
import Foundation
import JWTKit

/// Checks what the policy of our own side checks, at the vectors' moment.
struct Claims: JWTPayload {
    var iss: IssuerClaim
    var sub: SubjectClaim
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var iat: IssuedAtClaim

    func verify(using algorithm: some JWTAlgorithm) throws {
        guard iss.value == "https://idp.example" else { throw JWTError.claimVerificationFailure(failedClaim: iss, reason: "issuer") }
        try aud.verifyIntendedAudience(includes: "client-1")
        try exp.verifyNotExpired(currentDate: Date(timeIntervalSince1970: Double(Fixtures.now)))
    }
}

func row(_ name: String, _ keys: JWTKeyCollection, _ token: [UInt8]) async throws -> String {
    let runs = 100
    var least = ccounts_tally(allocations: .max, retains: .max, releases: .max), fastest = Duration.seconds(1_000)
    for _ in 0..<20 {
        ccounts_start()
        for _ in 0..<runs { _ = try await keys.verify(token, as: Claims.self) }
        let tally = ccounts_stop().process
        least.allocations = min(least.allocations, tally.allocations)
        least.retains = min(least.retains, tally.retains)
        least.releases = min(least.releases, tally.releases)
        let started = ContinuousClock.now
        for _ in 0..<runs { _ = try await keys.verify(token, as: Claims.self) }
        fastest = min(fastest, ContinuousClock.now - started)
    }
    let perToken = [least.allocations, least.retains, least.releases].map { String(format: "%13.1f", Double($0) / Double(runs)) }
    return name.padding(toLength: 18, withPad: " ", startingAt: 0) + perToken.joined()
        + String(format: "%12.1f", fastest / .microseconds(1) / Double(runs))
}

print("jwt-kit             allocations     retains    releases   µs a token")
for accepted in Accepted.all where ccounts_work() == 1 {
    let fixture = try accepted.fixture
    do {
        let keys = try await JWTKeyCollection().add(jwksJSON: String(decoding: fixture.keys, as: UTF8.self))
        print(try await row(accepted.name, keys, Array(fixture.token.utf8)))
    } catch {
        print("\(accepted.name): jwt-kit refuses: \(error)")
    }
}
