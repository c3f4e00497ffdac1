// Verifies the same tokens with Assay (claims copied) and with jwt-kit, and counts heap allocations, reference counting and time.
// jwt-kit is asynchronous, so the counts cover the whole process; the minimum of several rounds excludes other work.
//   swift run -c release --package-path Benchmarks/jwtkit

import CCounts
import Counting
import Fixtures
import Foundation
import JWTKit

/// Makes the same checks as the Assay policy here, at the vectors' time.
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

/// The cost of one token, the minimum of several rounds.
struct Cost {
    static let runs = 100, rounds = 20
    private var tally = ccounts_tally(allocations: .max, retains: .max, releases: .max)
    private var fastest = Duration.seconds(1_000)

    mutating func note(_ found: ccounts_tally, _ duration: Duration) {
        tally.allocations = min(tally.allocations, found.allocations)
        tally.retains = min(tally.retains, found.retains)
        tally.releases = min(tally.releases, found.releases)
        fastest = min(fastest, duration)
    }

    func row(_ name: String) -> String {
        let perToken = [tally.allocations, tally.retains, tally.releases].map { String(format: "%13.1f", Double($0) / Double(Self.runs)) }
        return name.padding(toLength: 18, withPad: " ", startingAt: 0) + perToken.joined()
            + String(format: "%12.1f", fastest / .microseconds(1) / Double(Self.runs))
    }
}

func cost(_ keys: JWTKeyCollection, _ token: [UInt8]) async throws -> Cost {
    var cost = Cost()
    for _ in 0..<Cost.rounds {
        ccounts_start()
        for _ in 0..<Cost.runs { _ = try await keys.verify(token, as: Claims.self) }
        let tally = ccounts_stop().process
        let started = ContinuousClock.now
        for _ in 0..<Cost.runs { _ = try await keys.verify(token, as: Claims.self) }
        cost.note(tally, ContinuousClock.now - started)
    }
    return cost
}

func cost(_ operation: Counting.Operation) -> Cost {
    var cost = Cost()
    for _ in 0..<Cost.rounds {
        ccounts_start()
        for _ in 0..<Cost.runs { operation.run() }
        let tally = ccounts_stop().process
        let started = ContinuousClock.now
        for _ in 0..<Cost.runs { operation.run() }
        cost.note(tally, ContinuousClock.now - started)
    }
    return cost
}

/// The key of a vector in the form that jwt-kit accepts: it takes no shared secret from a JWK Set.
func keys(of fixture: Fixtures.Case) async throws -> JWTKeyCollection {
    struct Secrets: Decodable {
        struct Key: Decodable { let kty: String, kid: String?, k: String? }
        let keys: [Key]
    }
    let collection = JWTKeyCollection()
    guard let key = try JSONDecoder().decode(Secrets.self, from: fixture.keys).keys.first, key.kty == "oct", let text = key.k else {
        return try await collection.add(jwksJSON: String(decoding: fixture.keys, as: UTF8.self))
    }
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = base64.padding(toLength: (base64.count + 3) / 4 * 4, withPad: "=", startingAt: 0)
    guard let secret = Data(base64Encoded: padded) else { throw JWTError.generic(identifier: "vector", reason: "no base64url") }
    return await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256, kid: key.kid.map { JWKIdentifier(string: $0) })
}

let ours = try Counting.Operation.all()
print("                    allocations     retains    releases  µs a token")
for accepted in Accepted.all where ccounts_work() == 1 {
    let fixture = try accepted.fixture
    for operation in ours where operation.name == "\(accepted.name)-copied" {
        operation.run()
        print(operation.isAsExpected ? cost(operation).row("\(accepted.name) Assay") : "\(accepted.name): Assay says \(operation.outcome)")
    }
    do {
        print(try await cost(keys(of: fixture), Array(fixture.token.utf8)).row("\(accepted.name) jwt-kit"))
    } catch {
        print("\(accepted.name): jwt-kit refuses: \(error)")
    }
}
