// Counts what one verification allocates on Swift's side, accepting and refusing. A program of its own, because the count stands
// before malloc for the whole process and has to be there before libcrypto first allocates.

import CMallocCount
import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Synchronization

guard cmalloc_count_works() == 1, cmalloc_ignore_libcrypto() == 1 else {
    print("allocation counts skipped: this build has an allocator of its own")
    print("0 passed, 0 failed, 1 skipped")
    exit(0)
}

/// The allocations of one call, once whatever a thread does only once is behind it.
func allocations(_ verifier: TokenVerifier<some KeySource>, _ token: [UInt8], expect: String) -> Int? {
    var count = 0
    for round in 0..<8 {
        let before = cmalloc_count()
        var outcome = VerificationError.Code?.none
        do throws(VerificationError) {
            try verifier.withVerified(token.span, now: TokenForge.now) { _ in }
        } catch {
            outcome = error.code
        }
        count = cmalloc_count() - before
        guard outcome?.name ?? "valid" == expect else {
            print("FAIL expected \(expect), got \(outcome?.name ?? "valid") in round \(round)")
            return nil
        }
    }
    return count
}

/// Gives each of its documents in turn, and remembers nothing.
final class Alternating: DocumentTransport {
    private let documents: [[UInt8]]
    private let turn = Atomic(0)

    init(_ documents: [String]) { self.documents = documents.map { Array($0.utf8) } }

    func fetch(_ request: DocumentRequest) async throws(FetchFailure) -> DocumentResponse {
        DocumentResponse(status: 200, body: documents[turn.add(1, ordering: .relaxed).newValue % documents.count])
    }
}

func residentKilobytes() -> Int {
    let pages = FileManager.default.contents(atPath: "/proc/self/statm").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return (Int(pages.split(separator: " ").dropFirst().first ?? "0") ?? 0) * Int(getpagesize()) / 1_024
}

/// What was counted.
struct Tally {
    var passed = 0
    var failed = 0

    mutating func expectNone(_ name: String, _ verifier: TokenVerifier<some KeySource>, _ token: String, expect: String) {
        let count = allocations(verifier, Array(token.utf8), expect: expect)
        if count == 0 { passed += 1 } else { failed += 1 }
        if let count, count > 0 { print("FAIL \(name): \(count) allocations") }
    }

    /// The same for tokens in one batch, a fifth of which are junk.
    mutating func expectNone(_ name: String, _ verifier: TokenVerifier<some KeySource>, _ tokens: [String]) {
        let batch = TokenBatch(tokens)
        var count = 0, accepted = 0
        for _ in 0..<8 {
            accepted = 0
            let before = cmalloc_count()
            verifier.withVerified(batch, now: TokenForge.now) { _, _ in
                accepted += 1
            } refused: { _, _ in
            }
            count = cmalloc_count() - before
        }
        if count == 0, accepted == tokens.count * 4 / 5 { return passed += 1 }
        failed += 1
        print("FAIL \(name): \(count) allocations, \(accepted) of \(tokens.count) accepted")
    }
}

// Each key is prepared as it is loaded, so that no builder allocates beside what is counted.
KeyTables.shared.isEager = true
var tally = Tally()
let algorithms: [SignatureAlgorithm] = [.rs256, .ps256, .es256, .es384, .es512, .es256k, .ed25519, .ed448, .hs256]
for algorithm in algorithms {
    let forge = TokenForge(algorithm)
    var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    policy.algorithms = [algorithm]
    policy.revokedTokenIDs = ["another"]
    let verifier = TokenVerifier(keys: forge.keySet, policy: policy)
    let good = forge.token()

    tally.expectNone("\(algorithm) accepted", verifier, good, expect: "valid")
    tally.expectNone("\(algorithm) tampered", verifier, good.replacing("eyJpc3M", with: "eyJpc3N"), expect: "signature_invalid")
    tally.expectNone(
        "\(algorithm) expired", verifier, forge.token(TokenForge.idToken.replacing("1700003600", with: "1600003600")), expect: "expired")
    tally.expectNone(
        "\(algorithm) audience", verifier, forge.token(TokenForge.idToken.replacing("client-1", with: "client-2")),
        expect: "audience_mismatch")
    tally.expectNone(
        "\(algorithm) escapes", verifier, forge.token(TokenForge.idToken.replacing("\"iss\"", with: "\"\\u0069ss\"")), expect: "valid")
    tally.expectNone(
        "\(algorithm) duplicate", verifier, forge.token(TokenForge.idToken.replacing("\"name\"", with: "\"\\u0073ub\"")),
        expect: "duplicate_member")
    tally.expectNone("\(algorithm) wrong type", verifier, forge.token(type: "at+jwt"), expect: "type_mismatch")
    tally.expectNone(
        "\(algorithm) unknown key", verifier, forge.token(header: "{\"alg\":\"\(algorithm)\",\"kid\":\"x\"}"), expect: "unknown_key")
    tally.expectNone(
        "\(algorithm) critical", verifier, forge.token(header: "{\"alg\":\"\(algorithm)\",\"crit\":[\"x\"],\"x\":1}"),
        expect: "unsupported_critical")
    tally.expectNone("\(algorithm) none", verifier, forge.token(header: "{\"alg\":\"none\"}"), expect: "unsecured_token")
    tally.expectNone("\(algorithm) junk", verifier, "a.b", expect: "malformed_token")
    tally.expectNone("\(algorithm) base64url", verifier, good + "=", expect: "invalid_base64url")
    tally.expectNone("\(algorithm) batch", verifier, (0..<70).map { $0 % 5 == 0 ? "a.b" : good })
}

// Tokens that were verified before.
for retention in [VerifiedTokenCache.Retention.tokens, .digests] {
    let forge = TokenForge(.es256), cache = VerifiedTokenCache(budget: 1 << 20, retention: retention)
    let verifier = TokenVerifier(keys: forge.keySet, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
        .caching(in: cache)
    tally.expectNone("cached \(retention) accepted", verifier, forge.token(), expect: "valid")
    if cache.statistics.hits == 0 { tally.failed += 1 }
    tally.expectNone(
        "cached \(retention) tampered", verifier, forge.token().replacing("eyJpc3M", with: "eyJpc3N"), expect: "signature_invalid")
}

// The key cache's hit path.
let forge = TokenForge(.es256), transport = ScriptedTransport()
transport.answer("https://idp.example/jwks", "{\"keys\":[\(forge.jwk)]}")
let remote = RemoteKeySet(.jwks(url: "https://idp.example/jwks"), transport: transport)
_ = await remote.ready(within: .seconds(10))
let verifier = TokenVerifier(keys: remote, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
tally.expectNone("remote accepted", verifier, forge.token(), expect: "valid")
tally.expectNone("remote tampered", verifier, forge.token().replacing("eyJpc3M", with: "eyJpc3N"), expect: "signature_invalid")

// Ten thousand reloads, each with another set, leave nothing behind, though their tables are asked for and built meanwhile.
KeyTables.shared.isEager = false
let sets = (0..<3).map { TokenForge(.es256, keyID: "key-\($0)").jwk }
let reloaded = RemoteKeySet(.jwks(url: "https://idp.example/jwks"), transport: Alternating(sets.map { "{\"keys\":[\($0)]}" }))
for _ in 0..<1_000 { await reloaded.refresh() }
let before = residentKilobytes()
for _ in 0..<10_000 { await reloaded.refresh() }
KeyTables.shared.settle()
let growth = residentKilobytes() - before
print("10,000 reloads: \(reloaded.generation ?? 0) generations, resident memory grew by \(growth) KiB")
if growth < 2_048, reloaded.generation ?? 0 >= 11_000 { tally.passed += 1 } else { tally.failed += 1 }

print("\(tally.passed) passed, \(tally.failed) failed")
exit(tally.failed == 0 ? 0 : 1)
